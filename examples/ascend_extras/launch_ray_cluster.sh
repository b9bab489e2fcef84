#!/usr/bin/env bash
# Starts Ray on the nodes of a run; run it once on every node, in any order, then start the recipe on the head node.
#
#   on the head node:         NNODES=4 NPUS_PER_NODE=16 bash launch_ray_cluster.sh head
#   on each of the others:    NPUS_PER_NODE=16 HEAD_ADDRESS=10.0.0.1 bash launch_ray_cluster.sh worker
#
# A worker tries until the head answers. The head waits until NNODES nodes with NPUS_PER_NODE NPUs each have joined, and
# says what is missing if they do not. All nodes need the same paths for recipe, model, data and checkpoints. `ray stop`
# ends a node's part.
#
# What processes must find on their own node is exported here, because Ray hands its workers the environment of
# `ray start`: the network interface and the address for HCCL. What is the same on all nodes is in the recipes.
#
# Try it:    DRY_RUN=1 bash launch_ray_cluster.sh head        prints the command, starts nothing
# Sources:   docs/ascend_tutorial/model_support/examples/multi-machine_task_startup_practice.rst of verl at 1dda039b9;
#            CANN 8.5 environment variable reference for HCCL_SOCKET_IFNAME, HCCL_IF_IP, HCCL_SOCKET_FAMILY
set -euo pipefail

# ----------------------------------------------------------------------------------------------------- user-adjustable
NNODES=${NNODES:-1}
NPUS_PER_NODE=${NPUS_PER_NODE:-16} # Atlas A2: 8, Atlas A3: 16
HEAD_ADDRESS=${HEAD_ADDRESS:-}     # the head node as the workers reach it: a name, an IPv4 or an IPv6 address
NODE_ADDRESS=${NODE_ADDRESS:-}     # this node in the training network; empty: Ray and HCCL choose
SOCKET_IFNAME=${SOCKET_IFNAME:-}   # network interface of the training network; empty: HCCL and Gloo choose
RAY_PORT=${RAY_PORT:-6379}
WAIT_SECONDS=${WAIT_SECONDS:-600}    # how long the head waits for the others, and a worker for the head
OPEN_FILES=${OPEN_FILES:-32768}      # files and sockets that each process may hold
DEVICE_FOLDER=${DEVICE_FOLDER:-/dev} # where the driver shows NPUs as davinci0, davinci1, ...
NETWORK=${NETWORK:-/sys/class/net}   # where the system shows its network interfaces

# -------------------------------------------------------------------------------------------------------------- command
stop() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 1
}

for name in NNODES NPUS_PER_NODE RAY_PORT WAIT_SECONDS OPEN_FILES; do
    [[ ${!name} =~ ^(0|[1-9][0-9]*)$ ]] || stop "${name}=${!name} is not a whole number"
done
head=${HEAD_ADDRESS}
if [[ ${head} == *:*:* && ${head} != \[* ]]; then
    head="[${head}]" # an IPv6 address, told from its port by brackets
fi

ROLE=${1:-}
case ${ROLE} in
head) START=(ray start --head --port="${RAY_PORT}") ;;
worker)
    [[ -n ${head} ]] || stop "a worker needs HEAD_ADDRESS, the address of the head node"
    START=(ray start --address="${head}:${RAY_PORT}")
    ;;
*) stop "the first argument is head or worker, not '${ROLE}'" ;;
esac
START+=(--resources="{\"NPU\": ${NPUS_PER_NODE}}")
if [[ -n ${NODE_ADDRESS} ]]; then
    START+=(--node-ip-address="${NODE_ADDRESS}")
fi

if [[ ${DRY_RUN:-0} == 1 ]]; then
    printf '%q ' "${START[@]}"
    printf '\n'
    exit 0
fi

# --------------------------------------------------------------------------------------------------------------- checks
shopt -s nullglob
npus=("${DEVICE_FOLDER}"/davinci[0-9]*)
((${#npus[@]} >= NPUS_PER_NODE)) || stop "this node has ${#npus[@]} NPUs, NPUS_PER_NODE asks for ${NPUS_PER_NODE}"
[[ -z ${SOCKET_IFNAME} || -d ${NETWORK}/${SOCKET_IFNAME} ]] ||
    stop "no network interface SOCKET_IFNAME=${SOCKET_IFNAME} here; there is $(cd "${NETWORK}" && echo *)"
command -v ray > /dev/null || stop "ray is not on PATH: install verl with its requirements"
if ray status > /dev/null 2>&1; then
    stop "Ray runs on this node already: end it with 'ray stop' first"
fi
ulimit -n "${OPEN_FILES}" 2> /dev/null || stop "open files are limited to $(ulimit -Hn) here, OPEN_FILES=${OPEN_FILES}"

# -------------------------------------------------------------------------------------------------------------- launch
if [[ -n ${SOCKET_IFNAME} ]]; then
    export HCCL_SOCKET_IFNAME=${SOCKET_IFNAME} GLOO_SOCKET_IFNAME=${SOCKET_IFNAME} TP_SOCKET_IFNAME=${SOCKET_IFNAME}
fi
if [[ -n ${NODE_ADDRESS} ]]; then
    export HCCL_IF_IP=${HCCL_IF_IP:-${NODE_ADDRESS}}
fi
if [[ ${head} == \[* || ${NODE_ADDRESS} == *:* ]]; then
    export HCCL_SOCKET_FAMILY=AF_INET6
fi

if [[ ${ROLE} == worker ]]; then
    for ((waited = 0; waited <= WAIT_SECONDS; waited += 5)); do
        if "${START[@]}"; then
            exit 0
        fi
        echo "waiting: ${head} does not answer at port ${RAY_PORT}"
        sleep 5
    done
    stop "the head did not answer at ${head}:${RAY_PORT} within ${WAIT_SECONDS} seconds; does it run, is the port open?"
fi

"${START[@]}" || stop "ray did not start; is port ${RAY_PORT} free?"

# Prints how many nodes have the NPUs that are asked for, and how many there are.
count_nodes() {
    python3 -c "
import ray
ray.init(address='auto', logging_level='ERROR')
nodes = [node for node in ray.nodes() if node['Alive']]
print(sum(node['Resources'].get('NPU', 0) >= ${NPUS_PER_NODE} for node in nodes), len(nodes))" 2> /dev/null
}
for ((waited = 0; waited <= WAIT_SECONDS; waited += 5)); do
    counted=$(count_nodes) || stop "Ray runs, but python3 cannot ask it for its nodes; is python3 that of ray?"
    read -r ready joined <<< "${counted##*$'\n'}"
    if ((ready >= NNODES)); then
        echo "${ready} nodes with ${NPUS_PER_NODE} NPUs each are ready: start the recipe on this node"
        ((ready == NNODES)) || echo "note: NNODES=${NNODES} of them are used; the others stay idle"
        exit 0
    fi
    echo "waiting: ${ready} of ${NNODES} nodes with ${NPUS_PER_NODE} NPUs, ${joined} joined"
    sleep 5
done
stop "only ${ready} of ${NNODES} nodes with ${NPUS_PER_NODE} NPUs after ${WAIT_SECONDS} seconds; 'ray stop' ends Ray"
