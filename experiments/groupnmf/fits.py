"""Running nmf and groupnmf, and comparing what they find with what was planted."""
import numpy

# Seeds from 0 on served for first looks; the tables begin here.
FIRST_SEED = 1000


def fit(gingham, method, data, name, **options):
    name = name.replace("%", "").replace(" ", "_")
    (gingham.work / name).parent.mkdir(exist_ok=True)
    return gingham.fit(method, [data], name, **options)


def matched(found, planted):
    """For each column of `planted` the column of `found` that goes with it, by the largest cosines; -1: none left."""
    cosines = numpy.abs(unit(planted).T @ unit(found))
    partner = numpy.full(planted.shape[1], -1)
    for _ in range(min(cosines.shape)):
        a, b = numpy.unravel_index(numpy.argmax(cosines), cosines.shape)
        partner[a] = b
        cosines[a, :] = cosines[:, b] = -1.0
    return partner


def unit(matrix):
    lengths = numpy.linalg.norm(matrix, axis=0)
    return matrix / numpy.where(lengths > 0, lengths, 1.0)


def used_by(factor, groups):
    """components x groups: whether the items of a group have an entry that is not zero; `factor` is items x components,
    `groups` the name of each item's group."""
    names = list(dict.fromkeys(groups))
    groups = numpy.array(groups)
    return numpy.array([(factor[groups == name] != 0).any(axis=0) for name in names]).T


def zero_blocks(found, planted):
    """(right, false, planted) numbers of zero blocks; both components x groups, in the same order."""
    return int((~found & ~planted).sum()), int((~found & planted).sum()), int((~planted).sum())
