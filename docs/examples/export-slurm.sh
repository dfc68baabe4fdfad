#!/bin/sh
# A Slurm array: each task exports one shard of the files in LIST to OUT.
#   sbatch --array=0-7 --export=ALL,LIST=demos.txt,OUT=tables,SHARDS=8 export-slurm.sh
# A run that is killed is tried again, on another node where its own fails; its parts replace those of the first attempt.
#SBATCH --job-name=tw-snap-export
#SBATCH --requeue
for attempt in 1 2 3; do
  tw-snap export --files-from "$LIST" --shard "$SLURM_ARRAY_TASK_ID/$SHARDS" --jobs 1 -o "$OUT"
  status=$?
  # 1 and 3 are findings and damaged recordings: what can be read of them is exported, and another attempt changes nothing.
  [ $status -le 3 ] && break
done
[ $status -eq 2 ] || [ $status -gt 3 ] && exit $status
exit 0
