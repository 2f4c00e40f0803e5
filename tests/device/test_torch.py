"""The gradients of examples/kernels against torch, where that is installed."""

import ctypes
import importlib.util
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KERNELS = ROOT / "examples/kernels"
SHAPES = [(2, 3, 7, 6, 4, 3, 1, 1, 1), (1, 2, 8, 8, 3, 3, 2, 1, 1), (3, 1, 5, 9, 2, 1, 1, 0, 1),
          (2, 4, 9, 7, 4, 2, 2, 0, 4), (1, 3, 10, 10, 5, 3, 3, 2, 1), (2, 3, 7, 6, 3, 3, 2, 1, 3),
          (1, 6, 5, 5, 4, 3, 1, 1, 2)]


class Window(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("batch", "channels", "rows", "columns", "out_channels", "size",
                                            "stride", "pad", "groups")]


@unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import torch

        cls.torch = torch
        torch.manual_seed(1)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        library = pathlib.Path(cls.folder.name) / "kernels.so"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-ffp-contract=off", KERNELS / "kernels.c", "-o",
                        library], check=True)
        cls.library = ctypes.CDLL(str(library))
        cls.library.kernel_softmax_loss.restype = ctypes.c_float

    def draw(self, *shape):
        return self.torch.randn(*shape, requires_grad=True)

    def call(self, name, *arguments):
        """Tensors as pointers, integers and windows as they are."""
        with self.torch.no_grad():
            kept = [a.detach().contiguous() if isinstance(a, self.torch.Tensor) else a for a in arguments]
        words = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, self.torch.Tensor) else
                 ctypes.byref(a) if isinstance(a, Window) else a for a in kept]
        return getattr(self.library, name)(*words)

    def same(self, found, expected, what):
        self.assertTrue(self.torch.allclose(found, expected, rtol=1e-4, atol=1e-5), what)

    def check(self, y, inputs, forward, backward, what):
        """forward(out) and backward(dy, outs) are kernels; y is torch's output."""
        found = self.torch.full_like(y, 777).detach()
        forward(found)
        self.same(found, y, what)
        dy = self.torch.randn_like(y)
        y.backward(dy)
        out = [self.torch.full_like(i, 777).detach() for i in inputs]
        backward(dy, *out)
        for mine, i in zip(out, inputs):
            self.same(mine, i.grad, f"gradient of {what}")

    def test_convolutions(self):
        for shape in SHAPES:
            k, (n, c, rows, columns, o, size, stride, pad, groups) = Window(*shape), shape
            x, w, b = self.draw(n, c, rows, columns), self.draw(o, c // groups, size, size), self.draw(o)

            def backward(dy, dx, dw, db, k=k, x=x, w=w):
                self.call("kernel_conv_dx", k, w, dy, dx)
                self.call("kernel_conv_dweight", k, x, dy, dw, db)
            self.check(self.torch.nn.functional.conv2d(x, w, b, stride, pad, groups=groups), (x, w, b),
                       lambda y, k=k, x=x, w=w, b=b: self.call("kernel_conv", k, x, w, b, y), backward, "conv")

    def test_pools(self):
        f = self.torch.nn.functional
        for n, c, rows, columns, _, size, stride, *_ in SHAPES:
            k, x = Window(n, c, rows, columns, c, size, stride, 0, 1), self.draw(n, c, rows, columns)
            self.check(f.max_pool2d(x, size, stride), (x,),
                       lambda y, k=k, x=x: self.call("kernel_max_pool", k, x, y),
                       lambda dy, dx, k=k, x=x: self.call("kernel_max_pool_dx", k, x, dy, dx), "max pool")
            x.grad = None
            self.check(f.avg_pool2d(x, size, stride), (x,),
                       lambda y, k=k, x=x: self.call("kernel_average_pool", k, x, y),
                       lambda dy, dx, k=k: self.call("kernel_average_pool_dx", k, dy, dx), "average pool")

    def test_dense_relu_add(self):
        x, w, b = self.draw(5, 7), self.draw(3, 7), self.draw(3)

        def backward(dy, dx, dw, db):
            self.call("kernel_dense_dx", 5, 7, 3, w, dy, dx)
            self.call("kernel_dense_dweight", 5, 7, 3, x, dy, dw, db)
        self.check(self.torch.nn.functional.linear(x, w, b), (x, w, b),
                   lambda y: self.call("kernel_dense", 5, 7, 3, x, w, b, y), backward, "dense")
        x = self.draw(100)
        self.check(self.torch.relu(x), (x,), lambda y: self.call("kernel_relu", 100, x, y),
                   lambda dy, dx: self.call("kernel_relu_dx", 100, x, dy, dx), "relu")
        y = self.torch.empty(100)
        self.call("kernel_add", 100, x, x, y)
        self.same(y, (2 * x).detach(), "add")

    def test_softmax_and_cross_entropy(self):
        x, p = self.draw(6, 5), self.torch.empty(6, 5)
        label = self.torch.tensor([0, 4, 2, 2, 1, 3], dtype=self.torch.int32)
        loss = self.torch.nn.functional.cross_entropy(x, label.long())
        self.assertAlmostEqual(self.call("kernel_softmax_loss", 6, 5, x, label, p), loss.item(), places=5)
        self.same(p, self.torch.softmax(x, 1).detach(), "softmax")
        loss.backward()
        dx = self.torch.empty(6, 5)
        self.call("kernel_softmax_loss_dx", 6, 5, p, label, dx)
        self.same(dx, x.grad, "gradient of the loss")


if __name__ == "__main__":
    unittest.main()
