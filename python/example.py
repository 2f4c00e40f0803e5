"""The schedule of VGG16 with half the memory, on a Raspberry Pi."""

import poetbnb

result = poetbnb.solve(model="vgg16_cifar", platform="a72", ram_budget="50%")
print(f"{result.status}: {result.overhead_joules:.6g} J of overhead")
print(result.table().head())
