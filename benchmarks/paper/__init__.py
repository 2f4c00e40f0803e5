"""The paper's experiments: points, their results, and what figures and tables make of them."""
