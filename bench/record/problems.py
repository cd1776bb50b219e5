"""The recorded problems: per method a set (sets.py) and options, {} for the set's folder.

Each is run twice. Run a: as written. Run b: with TIGHT, and with what PINNED says for its method where the problem does not
say it itself, so that the start has a name and does not follow a change of a default.

A start is stored as a file where a method takes one: --init of dictionary and online-dictionary. Nothing else takes a start
from a file; there the start follows from the data, the options and --seed alone, so two builds that draw the same random
numbers begin at the same place. Whether they did is seen in `first`, the objective after the first iteration.
"""
TIGHT = "--tolerance 1e-10 --max-iterations 20000"

PINNED = {
    "dictionary": "--init {}/start.npy --precision double",
    "groupnmf": "--start nndsvd --restarts 1",
    "itcc": "--restarts 1",
    "bregman": "--restarts 1",
    "kmeans": "--restarts 1",
    "kmeans-coclustering": "--restarts 1",
    "multiview": "--start pca --starts 1",
    "nmf": "--start nndsvd --restarts 1",
    "online-dictionary": "--init {}/start.npy",
    "parafac": "--start svd --restarts 1",
    "tensor": "--start svd --restarts 1",
}

# Arrays in which a zero says something, by the beginning of their names.
SUPPORTS = {
    "dictionary": ["codes"],
    "evolving": ["u_", "v_"],
    "groupnmf": ["W", "H", "group_norms"],
    "multiview": ["omega", "u_", "v_"],
    "nmf": ["W", "H"],
    "online-dictionary": ["codes"],
    "parafac": ["mode_"],
    "ssvd": ["u", "v"],
    "tensor": ["mode_"],
}

TABLE = """
tensor
  array            --clusters 2
  array            --clusters 2 --sparsity 1
  array            --clusters 2 --sparsity 10%
  array            --clusters 2 --sparsity 2,1,0.5
  array            --clusters 2 --sparsity 5% --line-search none
  array            --clusters 2 --sparsity 5% --line-search grid
  array            --clusters 2 --sparsity 5% --line-search backtracking
  array            --clusters 2 --sparsity 5% --line-search majorize
  array            --clusters 2 --sparsity paper --expect 8,7,4
  array            --clusters 2 --sparsity 5% --prune 0
  array            --clusters 2 --sparsity 5% --prune 30%
  array            --clusters 2 --sparsity 5% --balance no
  array            --clusters 2 --sparsity 5% --model plain
  array            --clusters 2 --sparsity 5% --strategy deflation
  array            --clusters 2 --sparsity 5% --start random --seed 5
  array            --clusters 4 --sparsity 60% --restarts 1
  array_noisy      --clusters 3
  array_noisy      --clusters 3 --sparsity 3 --start svd
  array_noisy      --clusters 3 --sparsity 0 --prune 0
  array_signed     --clusters 2 --sparsity 2% --strategy deflation --signed
  array_signed     --clusters 2 --signed
  array_signed     --clusters 2 --signed --sparsity 5% --model plain
  array_signed     --clusters 2 --signed --sparsity 2 --line-search none
  array_counts     --clusters 2 --sparsity 5%
  array_outliers   --clusters 2 --sparsity 2
  array_holes      --clusters 2 --sparsity 5%
  array_holes      --clusters 2 --sparsity 1 --line-search backtracking
  array_listed     --clusters 2 --sparsity 1%
  array_sparse     --clusters 2 --sparsity 5%
  array_sparse     --clusters 2 --sparsity 1 --strategy deflation
  four             --clusters 2 --sparsity 5%
  flat             --clusters 2 --sparsity 5%
  emails           --clusters 2
  organisation     --clusters 2 --sparsity 5% --restarts 2
  enron            --clusters 3 --sparsity 3% --restarts 2
  water            --clusters 2 --sparsity 2%
  allen_energy     --clusters 2 --sparsity 2% --restarts 2
  array_exact      --clusters 2 --sparsity 0.5
  array            --clusters 2 --sparsity 100%
  girls            --clusters 2 --signed --sparsity 2%
  amino            --clusters 3 --sparsity 1%
parafac
  array            --rank 2
  array_positive   --rank 3 --start svd
  array_positive   --rank 3 --seed 3 --start random
  array_positive   --rank 2 --restarts 3
  array_exact      --rank 2
  array_holes      --rank 2
  array_listed     --rank 2
  array_sparse     --rank 2
  four             --rank 2
  counts           --rank 2
  amino            --rank 3
  dorrit           --rank 3
  water            --rank 2
  enron            --rank 2
nmf
  counts           --rank 3
  counts           --rank 3 --solver bpp
  counts           --rank 2 --start random --seed 2
  counts           --rank 3 --penalty frobenius --beta 0.3
  counts           --rank 3 --penalty l1 --beta 1
  counts           --rank 3 --penalty l1 --beta 1 --solver bpp
  counts           --rank 3 --penalty l1 --beta 2 --alpha 1
  counts           --rank auto --max-rank 5
  counts_holes     --rank 2
  counts_holes     --rank 3 --penalty l1 --beta 1 --solver bpp
  counts_listed    --rank 2
  counts_listed    --rank 2 --penalty frobenius --beta 1 --alpha 0.5
  counts_stored    --rank 3
  cut              --rank 3
  cut              --rank 3 --penalty l1 --beta 0.5
  source           --rank 4
  lung_positive    --rank 2 --restarts 2
  blocks           --rank 2 --allow-negative
groupnmf
  groups           --rank 3 --groups {}/plain.txt
  groups           --rank 3
  groups           --rank 3 --groups {}/plain.txt --norm inf --free group_0
  groups           --rank 3 --groups {}/plain.txt --beta 2 --alpha 0.5
  groups           --rank 3 --groups {}/plain.txt --beta 5% --solver matrix
  groups           --rank 3 --groups {}/plain.txt --beta 2 --alpha 0.5 --norm inf --solver matrix
  groups           --rank 3 --groups {}/overlapping.txt --beta 5%
  groups           --rank 3 --groups {}/overlapping.txt --beta 1 --norm inf
  groups           --rank 3 --groups {}/nested.txt --beta 5%
  groups           --rank 3 --groups {}/nested.txt --beta 1 --norm inf
  groups           --rank 3 --groups {}/plain.txt --group-weights {}/weights.txt --beta 1
  groups           --rank 3 --groups {}/rows.txt --axis rows --beta 5%
  groups           --rank 3 --groups {}/plain.txt --missing-groups {}/unseen.txt
  groups           --rank 3 --groups {}/plain.txt --beta 60% --start random --seed 4
  groups           --rank auto --max-rank 4 --groups {}/plain.txt --beta 1
  groups_holes     --rank 3 --groups {}/plain.txt --beta 5%
  groups_holes     --rank 3 --groups {}/plain.txt --beta 1 --norm inf --solver matrix
  parts            --rank 3 --groups {}/groups.txt --allow-negative --beta 1
  documents        --rank 3 --groups {}/groups.txt --beta 5%
  languages        --rank 3 --groups {}/groups.txt --missing-groups {}/missing_groups.txt --axis rows --beta 5%
ssvd
  blocks           --clusters 2
  blocks           --clusters 2 --row-sparsity 2 --column-sparsity 1
  blocks           --clusters 2 --row-sparsity 20% --column-sparsity 10% --adaptive 0
  blocks           --clusters 2 --row-sparsity 5% --column-sparsity 0
  blocks           --clusters 2 --row-sparsity 0 --column-sparsity 0
  blocks           --clusters 3 --adaptive 1
  blocks           --clusters 2 --row-sparsity 90% --column-sparsity 90%
  blocks_holes     --clusters 2
  blocks_holes     --clusters 2 --row-sparsity 10% --column-sparsity 10%
  blocks_listed    --clusters 2
  blocks_sparse    --clusters 2
  blocks_stored    --clusters 2
  wide             --clusters 3
  wide             --clusters 2 --row-sparsity auto --column-sparsity 3
  lung             --clusters 3
  lung             --clusters 2 --row-sparsity 5% --column-sparsity 1%
evolving
  ages             --clusters 2
  ages             --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 20%
  ages             --clusters 2 --row-sparsity 5% --column-sparsity 2 --column-fusion 0
  ages             --clusters 2 --row-sparsity 1 --column-sparsity 1 --column-fusion 2 --solver dual
  ages_counts      --clusters 2
  ages_counts      --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 0.5
  ages_holes       --clusters 2
  ages_holes       --clusters 2 --row-sparsity 10% --column-sparsity 5% --column-fusion 10%
  times            --clusters 3
  times            --clusters 3 --row-fusion max --column-fusion 0
  times            --clusters 2 --row-sparsity 10% --column-sparsity 10% --row-fusion 10% --column-fusion 10%
  times            --clusters 2 --row-sparsity 10% --column-sparsity 10% --row-fusion 1 --column-fusion 0
  times            --clusters 2 --row-sparsity 1 --column-sparsity 1 --row-fusion max --column-fusion max
  times            --clusters 2 --row-sparsity 0 --column-sparsity 0 --column-fusion 5%
  times            --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 5% --solver dual
  times_holes      --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 10%
  times_stored     --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 10%
  times_cut        --clusters 2 --column-fusion 30%
  allen            --clusters 2
  allen            --clusters 2 --row-sparsity 5% --column-sparsity 5% --row-fusion 20% --column-fusion 0
  allen_holes      --clusters 2 --row-sparsity 5% --column-sparsity 5% --column-fusion 20%
  stages           --clusters 2 --row-sparsity 10% --column-sparsity 10% --column-fusion 5%
multiview
  study            --clusters 2
  study            --clusters 2 --rows 35 --columns 6
  study            --clusters 2 --rows 25%,15% --columns 10%,50%
  study            --clusters 3 --rows auto --columns auto --next deflate
  study            --clusters 2 --rows 35 --columns 8,4 --solver palm
  study            --clusters 2 --rows 35 --columns 8,4 --solver palm --start ones
  study            --clusters 2 --rows 35 --columns 8,4 --start ones
  study            --clusters 2 --rows 35 --columns 8,4 --start random --seed 3
  study            --clusters 2 --rows 35 --columns 8,4 --starts 4 --scale center
  study            --clusters 2 --rows 35 --columns 8,4 --sign any --weights 1,3
  study            --clusters 3 --rows 33.4% --swaps 3
  study            --clusters 3 --rows 33.4% --refine no --scale unit
  study_holes      --clusters 2 --rows 35 --columns 8,4
  study_holes      --clusters 2 --rows auto --columns auto --sign one
  study_unseen     --clusters 2 --rows 35 --columns 8,4
  study_stored     --clusters 2 --rows 35 --columns 8,4
  study_stored     --clusters 2 --rows 35 --columns 8,4 --scale none --next deflate
  sources          --clusters 3 --scale rows --columns 30%
  sources          --clusters 3 --rows 35 --columns 10 --solver palm
  digits           --clusters 4 --rows 25% --columns 50%
  digits           --clusters 4 --rows 25 --columns auto --solver palm
dictionary
  atoms            --atoms 36
  atoms            --atoms 36 --lambda 0.1 --epochs 3 --steps 1
  atoms            --atoms 36 --lambda 20% --batch 1 --epochs 2 --learning-rate paper
  atoms_columns    --atoms 36 --samples columns --normalize no --lambda 0.2 --learning-rate natural:1,1
  atoms            --atoms 36 --init kmeans --precision double --seed 2
  atoms            --atoms 36 --init random --precision double --batch 16 --learning-rate adaptive:0.9
  atoms_sparse     --atoms 36 --lambda 10%
  sift             --atoms 24 --lambda 10%
online-dictionary
  atoms            --atoms 36
  atoms_columns    --atoms 36 --samples columns --lambda 0.1 --batch 32
  atoms            --atoms 36 --init kmeans --normalize no --lambda 10%
  atoms_sparse     --atoms 36 --lambda 10%
  sift             --atoms 24 --lambda 10% --epochs 3
kmeans
  centres          --clusters 4
  centres          --clusters 6 --seed 2
  lung             --clusters 4
kmeans-coclustering
  checker          --clusters 3
  counts           --row-clusters 3 --column-clusters 2
  lung             --row-clusters 4 --column-clusters 3
itcc
  counts           --clusters 3
  counts_stored    --row-clusters 3 --column-clusters 4
  source           --row-clusters 4 --column-clusters 5
bregman
  checker          --clusters 3
  checker          --clusters 3 --scheme margins
  counts           --clusters 3 --divergence i-divergence
  counts_stored    --clusters 3 --divergence i-divergence --scheme margins
  blocks_holes     --row-clusters 3 --column-clusters 2
  cut              --row-clusters 3 --column-clusters 4
spectral
  cut              --clusters 3
  counts           --clusters 3 --starts 4
  lung_positive    --clusters 3
  source           --clusters 4
coregularized
  digits           --clusters 4
  study            --clusters 3 --form centroid --lambda 0.05 --scale standardize --starts 4
  sources          --clusters 4 --kernel linear --scale rows
cotrained
  digits           --clusters 4 --kernel linear --scale unit
  study            --clusters 3 --width 50%
mvcca
  digits           --clusters 4
  study            --clusters 3 --components 10 --ridge 0.5 --dimensions 3 --scale center
  sources          --clusters 4
mvfl
  digits           --clusters 4 --scale standardize
  study            --clusters 3 --view-sparsity 0.1 --feature-sparsity 0.1
  sources          --clusters 4 --view-sparsity 1% --feature-sparsity 2%
kernel-sum
  sources          --clusters 4 --kernel linear --scale rows
  digits           --clusters 4
  study            --clusters 3 --width 2 --scale none
kernel-product
  digits           --clusters 4
  study            --clusters 3 --kernel linear --scale unit
"""


def problems():
    """(method, set, options) of every line, in order."""
    method, found = None, []
    for line in TABLE.strip().splitlines():
        if line.startswith(" "):
            name, _, options = line.strip().partition(" ")
            found.append((method, name, options.strip()))
        else:
            method = line.strip()
    return found


def tightened(method, options):
    """The options of run b."""
    words = options.split()
    added = (TIGHT + " " + PINNED.get(method, "")).split()
    for name, value in zip(added[::2], added[1::2]):
        if name not in words:
            words += [name, value]
    return " ".join(words)
