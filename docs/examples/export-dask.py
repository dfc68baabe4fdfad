"""Exports the recordings in a list on a Dask cluster: python3 export-dask.py SCHEDULER LIST OUT SHARDS"""
import json
import subprocess
import sys

from distributed import Client


def export(shard, shards, files, out):
    command = ["tw-snap", "export", "--files-from", files, "--shard", f"{shard}/{shards}", "--jobs", "1", "-o", out]
    command += ["--summary", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    # 3 is a damaged recording: what can be read of it is exported. Anything else is tried again.
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"shard {shard}: exit {done.returncode}")
    return json.loads(done.stdout)


if __name__ == "__main__":
    scheduler, files, out, shards = sys.argv[1:]
    with Client(scheduler) as client:
        tasks = [client.submit(export, k, int(shards), files, out, retries=3, pure=False) for k in range(int(shards))]
        results = client.gather(tasks)
    print(json.dumps({"files": sum(r["files"] for r in results), "failed": sum(r["failed"] for r in results)}))
