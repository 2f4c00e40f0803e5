"""The figures of the paper, drawn from the results of benchmarks/bench."""
