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
            unknown=options.unknown, name=options.name,
        )
    except Error as error:
        sys.exit(print(f"poetbnb: {error}", file=sys.stderr) or 2)
    nodes = ",\n".join("  " + json.dumps(node) for node in graph["nodes"])
    print(f'{{"name": {json.dumps(graph["name"])}, "nodes": [\n{nodes}]}}')


main()
