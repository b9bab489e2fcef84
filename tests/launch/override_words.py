"""Random words that are, or might be, Hydra overrides."""

from hypothesis import strategies as st

PREFIXES = st.sampled_from(["", "+", "++", "~"])
KEYS = st.sampled_from(["a", "a.b", "a.0.b", "a.01", "a/b", "a@b", "a/b@c.d", "$a.b", "a-b.c_d", "", "a.", ".a", "a b"])
LETTERS = st.text("ab0 12.eE-+_=,[]{}'\"\\:/$@~#()nulTrie\t%*?|infNA\u00e4", max_size=9)
NUMBERS = ["1", "-1", "1_000", "1__0", "007", "1e-6", "1.", ".5", "1.5.3", "inf", "-NaN", "infinity"]
SCALARS = [*NUMBERS, "TRUE", "no", "null", "''", "a:b", "x=y", "#", "(", "[1", "'", "~/x", "/a/b.c"]
VALUES = ['"a,b"', "'it\\'s'", "[1, a]", "[ ]", "['x','y z']", "[a:b]", "[a: ]", "{}", "{a:1}", "${x}", "a${x.y}b"]
SWEEPS = ["a,b", "choice(a,b)", "range(1,3)", "int(3)", "a b", " a", "a "]
WORDS = st.sampled_from([*SCALARS, *VALUES, *SWEEPS])
NESTED = st.recursive(
    st.one_of(st.sampled_from(SCALARS), st.text("ab1 :.'-\\{", max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ",".join(items) + "]"),
        st.lists(st.tuples(st.text("ab1 .'-", max_size=3), inner), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{key}:{value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=6,
)
OVERRIDES = st.builds(
    lambda prefix, key, equals, value: prefix + key + equals + value,
    PREFIXES,
    KEYS,
    st.sampled_from(["=", "=", "=", "= ", ""]),
    st.one_of(WORDS, LETTERS, NESTED),
)
