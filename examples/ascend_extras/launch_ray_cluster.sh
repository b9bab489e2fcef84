#!/usr/bin/env bash
# Starts Ray on the nodes of a run; run it once on every node, then start the recipe on the head node.
#
#   on the head node:         NNODES=4 NPUS_PER_NODE=16 bash launch_ray_cluster.sh head
#   on each of the others:    NPUS_PER_NODE=16 HEAD_ADDRESS=10.0.0.1 bash launch_ray_cluster.sh worker
#
# The head waits until NNODES nodes with NPUS_PER_NODE NPUs each have joined, and says what is missing if they do not.
# All nodes need the same paths for recipe, model, data and checkpoints. `ray stop` ends a node's part.
#
# Try it:    DRY_RUN=1 bash launch_ray_cluster.sh head        prints the command, starts nothing
# Sources:   docs/ascend_tutorial/model_support/examples/multi-machine_task_startup_practice.rst of verl at 1dda039b9
set -euo pipefail

# ----------------------------------------------------------------------------------------------------- user-adjustable
NNODES=${NNODES:-1}
NPUS_PER_NODE=${NPUS_PER_NODE:-16} # Atlas A2: 8, Atlas A3: 16
HEAD_ADDRESS=${HEAD_ADDRESS:-}     # the head node as the workers reach it
NODE_ADDRESS=${NODE_ADDRESS:-}     # this node in the training network; empty: Ray chooses
SOCKET_IFNAME=${SOCKET_IFNAME:-}   # network interface of the training network; empty: HCCL and Gloo choose
RAY_PORT=${RAY_PORT:-6379}
WAIT_SECONDS=${WAIT_SECONDS:-600} # how long the head waits for the others
OPEN_FILES=${OPEN_FILES:-32768}   # files and sockets that each process may hold

# -------------------------------------------------------------------------------------------------------------- command
stop() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 1
}

ROLE=${1:-}
case ${ROLE} in
head) START=(ray start --head --port="${RAY_PORT}") ;;
worker)
    [[ -n ${HEAD_ADDRESS} ]] || stop "a worker needs HEAD_ADDRESS, the address of the head node"
    START=(ray start --address="${HEAD_ADDRESS}:${RAY_PORT}")
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
npus=(/dev/davinci[0-9]*)
((${#npus[@]} >= NPUS_PER_NODE)) || stop "this node has ${#npus[@]} NPUs, NPUS_PER_NODE asks for ${NPUS_PER_NODE}"
command -v ray > /dev/null || stop "ray is not on PATH: install verl with its requirements"
if ray status > /dev/null 2>&1; then
    stop "Ray runs on this node already: end it with 'ray stop' first"
fi
ulimit -n "${OPEN_FILES}" 2> /dev/null || stop "open files are limited to $(ulimit -Hn) here, OPEN_FILES=${OPEN_FILES}"

# -------------------------------------------------------------------------------------------------------------- launch
if [[ -n ${SOCKET_IFNAME} ]]; then
    [[ -d /sys/class/net/${SOCKET_IFNAME} ]] || stop "no network interface SOCKET_IFNAME=${SOCKET_IFNAME} on this node"
    export HCCL_SOCKET_IFNAME=${SOCKET_IFNAME} GLOO_SOCKET_IFNAME=${SOCKET_IFNAME} TP_SOCKET_IFNAME=${SOCKET_IFNAME}
fi
"${START[@]}" || stop "ray did not start; is HEAD_ADDRESS=${HEAD_ADDRESS:-this node} reachable at port ${RAY_PORT}?"
if [[ ${ROLE} == worker ]]; then
    exit 0
fi

count_nodes() {
    python3 -c "
import ray
ray.init(address='auto', logging_level='ERROR')
print(sum(node['Alive'] and node['Resources'].get('NPU', 0) >= ${NPUS_PER_NODE} for node in ray.nodes()))"
}
for ((waited = 0; waited <= WAIT_SECONDS; waited += 5)); do
    joined=$(count_nodes)
    if ((joined >= NNODES)); then
        echo "${joined} nodes with ${NPUS_PER_NODE} NPUs each are ready: start the recipe on this node"
        exit 0
    fi
    echo "waiting: ${joined} of ${NNODES} nodes with ${NPUS_PER_NODE} NPUs"
    sleep 5
done
stop "only ${joined} of ${NNODES} nodes with ${NPUS_PER_NODE} NPUs joined within ${WAIT_SECONDS} seconds"
