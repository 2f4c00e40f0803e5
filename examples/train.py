"""Trains a small network with half the memory that keeping every activation takes; prints its losses."""

import poetbnb.torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
    nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
    nn.MaxPool2d(4), nn.Flatten(), nn.Dropout(0.1), nn.Linear(256, 2),
)
x, y = torch.randn(64, 1, 16, 16), torch.arange(64) % 2
x[y == 1] += x[y == 1].roll(1, 3)  # pictures of the second kind are smeared

optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
loss = nn.CrossEntropyLoss()
step = poetbnb.torch.TrainingStep(net, loss, (x, y), ram_budget="50%", platform="a72", work_limit=1)
for _ in range(20):
    optimizer.zero_grad()
    print(f"{step(x, y).item():.4f}")
    optimizer.step()
