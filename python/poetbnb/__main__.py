"""python3 -m poetbnb import MODEL.onnx: the training graph of an ONNX model, as a graph file."""

import argparse
import json
import sys
import warnings

from . import Error, __version__, import_onnx


def size(text):
    name, _, value = text.rpartition("=")
    if not name or not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"expected NAME=N, got '{text}'")
    return name, int(value)


def shape(text):
    name, _, sides = text.rpartition("=")
    values = sides.split(",") if sides else []
    if not name or not all(side.isdecimal() and int(side) > 0 for side in values):
        raise argparse.ArgumentTypeError(f"expected NAME=N,N,..., got '{text}'")
    return name, [int(side) for side in values]


def arguments():
    parser = argparse.ArgumentParser(prog="python3 -m poetbnb", description=__doc__)
    parser.add_argument("--version", action="version", version=f"poetbnb {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "import",
        help="write the training graph of an ONNX model",
        description="Writes the training graph of an ONNX model's forward pass on standard output: "
        "nodes with FLOPs and bytes, for `poetbnb solve --graph FILE --platform NAME`.",
    )
    command.add_argument("model", metavar="MODEL.onnx")
    command.add_argument(
        "--backward", choices=("autodiff", "published"), default="autodiff",
        help="gradient nodes: one per operator along the real edges (default), or the paper's chain",
    )
    command.add_argument(
        "--size", metavar="NAME=N", type=size, action="append", default=[],
        help="fixes a free dimension of the inputs, as --size batch=8",
    )
    command.add_argument(
        "--shape", metavar="NAME=N,N,...", type=shape, action="append", default=[],
        help="gives the shape of an input, as --shape x=1,3,224,224",
    )
    command.add_argument(
        "--weight-gradients", choices=("kept", "applied"), default="kept",
        help="gradients of weights stay in RAM until the step ends (default), or are applied where they are computed",
    )
    command.add_argument(
        "--input-flops", metavar="N", type=int,
        help="of reading an input again (default: inputs are not read again)",
    )
    command.add_argument("--name", help="of the graph (default: the file's)")
    command.add_argument(
        "--unknown", choices=("error", "warn"), default="error",
        help="operators without a rule: refuse them (default), or count one FLOP an element and warn",
    )
    return parser.parse_args()


def main():
    options = arguments()
    warnings.showwarning = lambda message, *_: print(f"poetbnb: {message}", file=sys.stderr)
    warnings.simplefilter("always")
    try:
        graph = import_onnx(
            options.model, backward=options.backward, sizes=dict(options.size),
            unknown=options.unknown, name=options.name, shapes=dict(options.shape),
            weight_gradients=options.weight_gradients, input_flops=options.input_flops,
        )
    except Error as error:
        sys.exit(print(f"poetbnb: {error}", file=sys.stderr) or 2)
    nodes = ",\n".join("  " + json.dumps(node) for node in graph["nodes"])
    head = ", ".join(f"{json.dumps(key)}: {json.dumps(graph[key])}" for key in ("name", "resident_bytes"))
    print(f'{{{head}, "nodes": [\n{nodes}]}}')


main()
