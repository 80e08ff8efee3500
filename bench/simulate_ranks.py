#!/usr/bin/env python3
"""Simulates `tutti corpus run` on many ranks, and says where rank 0 saturates.

simulate_ranks.py DATABASE [--record MICROSECONDS] [--modules N] [--latency MICROSECONDS]

The times of modules are drawn from a database of a real run. `--record` is the processor time of rank 0 for a module, to hand
it out and to record it. As in tools/tutti/corpus/scheduler.cpp, a worker has two batches, and a batch has the modules that fit
into 0.2 s, at most 64, and fewer towards the end.
"""

import argparse
import heapq
import random
import sqlite3


def simulate(ranks, times, modules, record, latency, seed=1):
    """Returns the seconds of a run, and the share of them in which rank 0 works."""
    chance = random.Random(seed)
    mean = sum(times) / len(times)
    left, now_free, busy, done = modules, 0.0, 0.0, 0
    answers = []  # (time of arrival, rank, modules)
    free = [0.0] * ranks  # when each worker is done with its batches

    def hand_out(rank, now):
        nonlocal left
        size = int(max(1, min(64, 0.2 / mean, left / (4 * ranks))))
        size = min(size, left)
        if size == 0:
            return
        left -= size
        start = max(free[rank], now + latency)
        free[rank] = start + sum(chance.choices(times, k=size))
        heapq.heappush(answers, (free[rank] + latency, rank, size))

    for _ in range(2):
        for rank in range(ranks):
            hand_out(rank, 0)
    while answers:
        arrival, rank, size = heapq.heappop(answers)
        begin = max(arrival, now_free)
        now_free = begin + size * record
        busy += size * record
        done += size
        hand_out(rank, now_free)
    assert done == modules
    return now_free, busy / now_free


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("database")
    options.add_argument("--record", type=float, default=100)
    options.add_argument("--latency", type=float, default=1000)
    options.add_argument("--modules", type=int, default=1_000_000)
    given = options.parse_args()
    with sqlite3.connect(given.database) as db:
        times = [seconds for seconds, in db.execute("SELECT seconds FROM module")]
    mean = sum(times) / len(times)
    record = given.record * 1e-6
    print(f"{len(times)} measured modules, {mean * 1e3:.2f} ms each; rank 0 needs {given.record:.0f} us for one")
    print(f"rank 0 saturates at about {mean / record:.0f} ranks: {1 / record:.0f} modules a second")
    print(f"{'ranks':>6} {'seconds':>9} {'modules/s':>10} {'efficiency':>10} {'rank 0 busy':>11}")
    for ranks in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000):
        seconds, share = simulate(ranks, times, given.modules, record, given.latency * 1e-6)
        print(f"{ranks:>6} {seconds:>9.1f} {given.modules / seconds:>10.0f} {given.modules * mean / seconds / ranks:>10.2f} {share:>11.2f}")
    slow = [max(t, record * 1000) for t in times]
    seconds, share = simulate(1000, slow, given.modules // 10, record, given.latency * 1e-6)
    print(f"with modules of {sum(slow) / len(slow) * 1e3:.0f} ms, 1000 ranks reach an efficiency of "
          f"{given.modules // 10 * sum(slow) / len(slow) / seconds / 1000:.2f}")


main()
