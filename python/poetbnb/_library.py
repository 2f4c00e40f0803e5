"""The shared library libpoetbnb: what poetbnb.h declares, as ctypes has it."""

import ctypes
import ctypes.util
import os
import pathlib
import sysconfig


class Error(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class Output(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("bytes", ctypes.c_int64)]


class Node(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("inputs", ctypes.POINTER(ctypes.c_int)),
        ("input_count", ctypes.c_int),
        ("backward", ctypes.c_int),
        ("bytes", ctypes.c_int64),
        ("seconds", ctypes.c_double),
        ("joules", ctypes.c_double),
        ("pagein_joules", ctypes.c_double),
        ("pageout_joules", ctypes.c_double),
        ("pagein_seconds", ctypes.c_double),
        ("pageout_seconds", ctypes.c_double),
        ("workspace_bytes", ctypes.c_int64),
        ("pin", ctypes.c_int),
        ("sharing", ctypes.c_int),
        ("shares", ctypes.c_int),
        ("outputs", ctypes.POINTER(Output)),
        ("output_count", ctypes.c_int),
        ("input_outputs", ctypes.POINTER(ctypes.c_int)),
        ("output", ctypes.c_int),
        ("stateful", ctypes.c_int),
    ]


class Alias(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_char_p),
        ("node", ctypes.c_int),
        ("bytes", ctypes.c_int64),
    ]


class Builtin(ctypes.Structure):
    _fields_ = [
        ("batch_size", ctypes.c_int),
        ("mem_power_scale", ctypes.c_double),
        ("backward", ctypes.c_char_p),
    ]


class Setting(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("name", "values", "initial", "help")]


class Incumbent(ctypes.Structure):
    _fields_ = [
        ("overhead_joules", ctypes.c_double),
        ("seconds", ctypes.c_double),
        ("peak_bytes", ctypes.c_int64),
        ("source", ctypes.c_char_p),
    ]


class Figures(ctypes.Structure):
    _fields_ = [
        ("energy_joules", ctypes.c_double),
        ("overhead_joules", ctypes.c_double),
        ("bound_joules", ctypes.c_double),
        ("gap", ctypes.c_double),
        ("compute_seconds", ctypes.c_double),
        ("transfer_seconds", ctypes.c_double),
        ("deadline_seconds", ctypes.c_double),
        ("ram_budget_bytes", ctypes.c_int64),
        ("peak_bytes", ctypes.c_int64),
        ("minimum_bytes", ctypes.c_int64),
        ("recompute_count", ctypes.c_int64),
        ("pagein_count", ctypes.c_int64),
        ("pageout_count", ctypes.c_int64),
        ("search_nodes", ctypes.c_int64),
        ("lp_iterations", ctypes.c_int64),
        ("cuts", ctypes.c_int64),
        ("work", ctypes.c_double),
        ("seconds", ctypes.c_double),
    ]


LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
FOUND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Incumbent))
STOP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

_HANDLE = ctypes.c_void_p
_ERROR = ctypes.POINTER(Error)
_TEXT = ctypes.c_void_p  # to be freed: ctypes would lose the address of a c_char_p

_FUNCTIONS = {
    "version": (ctypes.c_char_p,),
    "free": (None, _TEXT),
    "graph_builtin": (_HANDLE, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Builtin), _ERROR),
    "graph_read": (_HANDLE, ctypes.c_char_p, ctypes.c_char_p, _ERROR),
    "graph_parse": (
        _HANDLE, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_char_p, _ERROR,
    ),
    "graph_free": (None, _HANDLE),
    "graph_name": (ctypes.c_char_p, _HANDLE),
    "graph_nodes": (ctypes.c_int, _HANDLE),
    "graph_node": (ctypes.c_int, _HANDLE, ctypes.c_int, ctypes.POINTER(Node)),
    "graph_alias": (ctypes.c_int, _HANDLE, ctypes.c_int, ctypes.POINTER(Alias)),
    "graph_joules": (ctypes.c_double, _HANDLE),
    "graph_seconds": (ctypes.c_double, _HANDLE),
    "graph_peak_bytes": (ctypes.c_int64, _HANDLE),
    "graph_resident_bytes": (ctypes.c_int64, _HANDLE),
    "graph_minimum_bytes": (ctypes.c_int64, _HANDLE),
    "graph_json": (_TEXT, _HANDLE, _ERROR),
    "solver_create": (_HANDLE, _HANDLE, _ERROR),
    "solver_free": (None, _HANDLE),
    "set": (ctypes.c_int, _HANDLE, ctypes.c_char_p, ctypes.c_char_p, _ERROR),
    "setting": (ctypes.c_int, ctypes.c_int, ctypes.POINTER(Setting)),
    "on_log": (None, _HANDLE, LOG, ctypes.c_void_p),
    "on_incumbent": (None, _HANDLE, FOUND, ctypes.c_void_p),
    "on_stop": (None, _HANDLE, STOP, ctypes.c_void_p),
    "stop": (None, _HANDLE),
    "solve": (_HANDLE, _HANDLE, _ERROR),
    "result_free": (None, _HANDLE),
    "result_status_name": (ctypes.c_char_p, _HANDLE),
    "result_reason": (ctypes.c_char_p, _HANDLE),
    "result_certified": (ctypes.c_int, _HANDLE, _ERROR),
    "result_figures": (None, _HANDLE, ctypes.POINTER(Figures)),
    "result_graph": (_HANDLE, _HANDLE),
    "result_matrix": (_HANDLE, _HANDLE, ctypes.c_int),
    "result_memory": (ctypes.c_int, _HANDLE, ctypes.POINTER(ctypes.c_int64)),
    "result_json": (_TEXT, _HANDLE, _ERROR),
    "result_plan": (_TEXT, _HANDLE, _ERROR),
}


def _open():
    """POETBNB_LIBRARY, else the library installed beside this module, else the system's."""
    name = "libpoetbnb.so.0"
    if os.environ.get("POETBNB_LIBRARY"):
        return ctypes.CDLL(os.environ["POETBNB_LIBRARY"])
    multiarch = sysconfig.get_config_var("MULTIARCH") or "."
    for parent in pathlib.Path(__file__).resolve().parents:
        for folder in (parent, parent / "lib" / multiarch, parent / "lib"):
            if (folder / name).exists():
                return ctypes.CDLL(str(folder / name))
    return ctypes.CDLL(name)


class Library:
    """The functions of the header without their prefix."""

    def __init__(self):
        library = _open()
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, "poetbnb_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)

    def text(self, address):
        """The text at an address, which is freed."""
        try:
            return ctypes.string_at(address).decode()
        finally:
            self.free(address)
