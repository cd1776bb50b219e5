"""While a fit runs: callbacks, interrupts, other threads, children, progress, limits; and what is left behind."""

import io
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import types
import warnings

import joblib
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

import gingham
from support import NAMES, bits, estimator, extras, plain_data, result_bits

DATA = np.random.default_rng(0).random((200, 120))


def endless(**more):
    """A fit that goes on until it is stopped, unless told otherwise."""
    return gingham.NMF(rank=8, restarts=1, tolerance=0, max_iterations=10**9, **more)


def quiet_fit(one, X, **words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return one.fit(X, **words)


def n_threads():
    return len(os.listdir("/proc/self/task"))


def settled_threads(expected):
    """Threads that are ending are given a moment."""
    for _ in range(50):
        if n_threads() <= expected:
            break
        time.sleep(0.02)
    return n_threads()


# -- callbacks

@pytest.mark.parametrize("name", NAMES)
def test_a_callback_sees_every_record_of_the_trace(name):
    seen = []
    X = plain_data(name)
    one = quiet_fit(estimator(name, **extras(name)), X, callback=seen.append)
    assert result_bits(one) == result_bits(quiet_fit(estimator(name, **extras(name)), X)), "watching changes nothing"
    assert all(isinstance(record, gingham.Progress) for record in seen)
    assert {record.n_restarts for record in seen} == {len(one.result_.restarts)}
    assert {record.restart for record in seen} == set(range(len(one.result_.restarts)))
    trace = one.result_.trace
    expected = [bits([int(r["component"]), int(r["iteration"]), float(r["objective"]), float(r["gap"])]) for r in trace]
    by_restart = [[bits([r.component, r.iteration, r.objective, r.gap]) for r in seen if r.restart == restart]
                  for restart in range(len(one.result_.restarts))]
    assert expected in by_restart


@pytest.mark.parametrize("name", NAMES)
def test_returning_false_stops_with_what_there_is(name):
    X = plain_data(name)
    options = {"tolerance": 0, "max_iterations": 100_000, **extras(name)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            one = estimator(name, **options).fit(X, callback=lambda progress: False)
        except ValueError as error:  # some have nothing to show before their last step
            assert "before there was a model" in str(error) and name in ("coregularized", "cotrained")
            return
    assert one.result_.status in ("cancelled", "converged", "cycle"), "some are done after one step"
    assert one.result_.status != "cancelled" or not caught, "what was asked for is no surprise"
    assert one.verify() == []
    assert len(one.labels_) and one._repr_html_()


def test_only_false_stops():
    for answer in (None, True, 0, "", [], np.array([]), 0.0):
        assert quiet_fit(estimator("nmf"), DATA, callback=lambda _: answer).result_.status != "cancelled"
    calls = []

    def third(progress):
        calls.append(progress)
        return len(calls) < 3

    one = quiet_fit(endless(), DATA, callback=third)
    assert one.result_.status == "cancelled" and len(calls) == 3
    assert quiet_fit(endless(), DATA, callback=lambda _: np.False_).result_.status == "cancelled"


class Mine(BaseException):
    pass


@pytest.mark.parametrize("kind",
                         [ValueError, ZeroDivisionError, KeyboardInterrupt, SystemExit, MemoryError, StopIteration,
                                  RecursionError, Mine, GeneratorExit])
def test_exceptions_of_callbacks_come_through(kind):
    one = estimator("nmf")
    expected = result_bits(quiet_fit(estimator("nmf"), DATA))
    raised = kind("from the callback")

    def callback(progress):
        if progress.iteration >= 2:
            raise raised

    with pytest.raises(kind) as caught:
        quiet_fit(one, DATA, callback=callback)
    assert caught.value is raised
    names = []
    trace = caught.value.__traceback__
    while trace:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "callback" in names, "the traceback leads to the callback"
    assert one.result_.status == "cancelled" and one.verify() == []
    assert result_bits(quiet_fit(one, DATA)) == expected


def test_a_callback_may_fit_something_itself():
    inner = []

    def callback(progress):
        if progress.iteration == 2:
            inner.append(quiet_fit(estimator("ssvd"), plain_data("ssvd")))

    one = quiet_fit(estimator("nmf"), DATA, callback=callback)
    assert result_bits(one) == result_bits(quiet_fit(estimator("nmf"), DATA))
    expected = result_bits(quiet_fit(estimator("ssvd"), plain_data("ssvd")))
    assert inner and {result_bits(each) for each in inner} == {expected}


def test_a_callback_may_change_the_estimator_and_the_name_of_the_data():
    one = estimator("nmf")
    X = DATA.copy()
    holder = [X]
    del X

    def callback(progress):
        one.set_params(seed=99)
        holder.clear()

    quiet_fit(one, holder[0], callback=callback)
    assert result_bits(one) == result_bits(quiet_fit(estimator("nmf"), DATA))
    assert one.verify() == one.verify(deep=True) == []


# -- interrupts

class alarm:
    """Raises KeyboardInterrupt in the main thread after some seconds, as Ctrl-C would."""

    def __init__(self, seconds):
        self._seconds = seconds

    def __enter__(self):
        def interrupt(*_):
            self.when = time.monotonic()
            raise KeyboardInterrupt

        self._before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)


@pytest.mark.parametrize("make, X", [
    (lambda: endless(threads=2), DATA),
    (lambda: gingham.GroupNMF(rank=8, restarts=10**6, tolerance=0, max_iterations=10**6), DATA),
    (lambda: gingham.KMeans(clusters=40, restarts=10**6), DATA),
    (lambda: gingham.BregmanCoclustering(clusters=6, restarts=10**6), DATA),
    (lambda: gingham.TensorCoclusters(restarts=10**6, tolerance=0, max_iterations=10**6), DATA.reshape(20, 60, 20)),
    (lambda: gingham.EvolvingCoclusters(clusters=50, restarts=10**6), [DATA, DATA[::-1]]),
    (lambda: gingham.OnlineDictionaryLearning(atoms=60, epochs=10**6), np.tile(DATA, (40, 1)))],
    ids=["nmf", "groupnmf", "kmeans", "bregman", "tensor", "evolving", "online dictionary"])
def test_keyboard_interrupt_within_a_second(make, X):
    one, threads = make(), n_threads()
    with alarm(0.25) as rung:
        with pytest.raises(KeyboardInterrupt):
            quiet_fit(one, X)
        assert time.monotonic() - rung.when < 1.0
    assert settled_threads(threads) <= threads
    assert not hasattr(one, "result_") or (one.result_.status == "cancelled" and one.verify() == [])


SCRIPT = """
import sys, numpy as np, gingham
X = np.random.default_rng(0).random((200, 120))
one = gingham.NMF(rank=8, restarts=1, tolerance=0, max_iterations=10**9)
print("ready", flush=True)
try:
    one.fit(X)
except KeyboardInterrupt:
    print("interrupted", one.result_.status, one.verify(), flush=True)
    raise
"""


def test_control_c_in_another_process():
    child = subprocess.Popen([sys.executable, "-B", "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True,
                             env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))})
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.4)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted cancelled []\n"
    assert time.monotonic() - begin < 1.0
    errors = child.communicate(timeout=10)[1]
    assert child.returncode == -signal.SIGINT and "KeyboardInterrupt" in errors


# -- threads

def test_other_threads_run_during_a_fit():
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        quiet_fit(endless(time_limit=0.5), DATA)
    finally:
        done.set()
        thread.join()
    assert counted[0] > 50


def test_several_fits_at_once_give_the_same_bits():
    names = ["nmf", "ssvd", "kmeans", "tensor", "evolving", "dictionary"]
    data = {name: plain_data(name) for name in names}
    expected = {name: result_bits(quiet_fit(estimator(name), data[name])) for name in names}
    failures = []

    def work(turn):
        for i in range(8):
            name = names[(turn + i) % len(names)]
            if result_bits(estimator(name, threads=1 + turn % 2).fit(data[name])) != expected[name]:
                failures.append(name)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        threads = [threading.Thread(target=work, args=(turn,)) for turn in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_one_array_may_be_used_by_several_fits_at_once():
    ones = [estimator("ssvd") for _ in range(4)]
    X = plain_data("ssvd")
    threads = [threading.Thread(target=quiet_fit, args=(one, X)) for one in ones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({result_bits(one) for one in ones}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_no_threads_are_left_behind(name):
    before = n_threads()
    one = quiet_fit(estimator(name, threads=4, **extras(name)), plain_data(name))
    one.report(), one.verify(), one._repr_html_()
    assert settled_threads(before) <= before


# -- children

def child_fit(name):
    return result_bits(quiet_fit(estimator(name, threads=2), plain_data(name)))


def test_fits_in_forked_children():
    names = ["nmf", "kmeans", "tensor", "ssvd"]
    expected = [child_fit(name) for name in names]  # the parent has used its threads before
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(child_fit, names).get(timeout=60) == expected
    assert [child_fit(name) for name in names] == expected


def test_a_fork_during_a_fit():
    """A child that is born in a callback can fit, and does not harm its parent."""
    answers = []

    def callback(progress):
        if progress.iteration == 2 and not answers:
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    os.write(write, b"same" if child_fit("ssvd") == expected else b"other")
                finally:
                    os._exit(0)
            os.close(write)
            os.waitpid(child, 0)
            answers.append(os.read(read, 10))
            os.close(read)

    expected = child_fit("ssvd")
    quiet_fit(estimator("nmf", restarts=1), DATA, callback=callback)
    assert answers == [b"same"]


def test_joblib_and_grid_search_in_processes():
    X = plain_data("nmf")
    search = GridSearchCV(estimator("nmf"), {"rank": [1, 2]}, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = search.fit(X).cv_results_["mean_test_score"]
        together = search.set_params(n_jobs=2).fit(X).cv_results_["mean_test_score"]
    assert bits(alone) == bits(together)
    with joblib.parallel_backend("threading", n_jobs=2):
        fitted = joblib.Parallel()(
            joblib.delayed(quiet_fit)(estimator("ssvd", seed=i), plain_data("ssvd")) for i in range(4))
    assert [one.seed for one in fitted] == [0, 1, 2, 3]


# -- progress

class FakeTqdm:
    made = []

    def __init__(self, *words, **options):
        self.updates, self.closed, self.texts = 0, False, []
        FakeTqdm.made.append(self)

    def set_postfix_str(self, text, refresh=True):
        self.texts.append(text)

    def update(self, n=1):
        self.updates += n

    def close(self):
        self.closed = True


def test_progress_through_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = FakeTqdm
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    FakeTqdm.made.clear()
    seen = []
    one = quiet_fit(estimator("nmf"), DATA, progress=True, callback=seen.append)
    bar = FakeTqdm.made[0]
    assert bar.updates == len(seen) == len(bar.texts) and bar.closed
    assert result_bits(one) == result_bits(quiet_fit(estimator("nmf"), DATA))
    with pytest.raises(ZeroDivisionError):
        quiet_fit(estimator("nmf"), DATA, progress=True, callback=lambda _: 1 / 0)
    assert FakeTqdm.made[-1].closed
    with pytest.raises(ValueError):
        estimator("nmf", seed=-1).fit(DATA, progress=True)
    assert FakeTqdm.made[-1].closed


def test_progress_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    ticks = iter(range(0, 10**9, 2))
    monkeypatch.setattr(gingham._progress, "time", types.SimpleNamespace(monotonic=lambda: next(ticks)))
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    quiet_fit(estimator("nmf"), DATA, progress=True)
    assert errors.getvalue().count("objective") > 2
    monkeypatch.setattr(sys, "stderr", None)  # as under pythonw
    quiet_fit(estimator("nmf"), DATA, progress=True)


# -- limits

def test_time_limit():
    begin = time.monotonic()
    with pytest.warns(ConvergenceWarning, match="NMF"):
        one = endless(time_limit=0.2).fit(DATA)
    assert 0.1 < time.monotonic() - begin < 1.2
    assert one.result_.status == "time_limit" and one.verify() == []


def test_memory_limit():
    one = estimator("nmf")
    with pytest.raises(MemoryError, match="(?i)memory|MB|bytes"):
        quiet_fit(one, DATA, memory_limit=1000)
    assert not hasattr(one, "result_") and not hasattr(one, "n_features_in_")
    quiet_fit(one, DATA, memory_limit=1e9)
    with pytest.raises(MemoryError):
        quiet_fit(gingham.KernelSumClustering(), [np.ones((50_000, 1))] * 2, memory_limit=1e8)


def test_warnings_say_how_a_fit_ended():
    with pytest.warns(ConvergenceWarning, match="(?i)NMF.*iteration"):
        gingham.NMF(rank=3, restarts=1, tolerance=0, max_iterations=2).fit(DATA)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gingham.KMeans(clusters=2).fit(DATA).result_.status == "converged"


def test_threads_of_numpy_are_left_alone():
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def state():
        return sorted((one["filepath"], one["num_threads"]) for one in threadpoolctl.threadpool_info()
                      if pathlib.Path(one["filepath"]).name.startswith(("libopenblas", "libblas", "libmkl", "libgomp")))

    DATA @ DATA.T
    before = state()
    for threads in (1, 2):
        quiet_fit(estimator("nmf", threads=threads), DATA)
        quiet_fit(estimator("spectral", threads=threads), plain_data("spectral"))
        with pytest.raises(KeyError):
            quiet_fit(estimator("nmf", threads=threads), DATA, callback=lambda _: {}["no"])
        assert state() == before


def test_environment_and_signals_are_left_alone():
    handler, environment = signal.getsignal(signal.SIGINT), dict(os.environ)
    state = np.random.get_state()[1].tobytes()
    folder = os.getcwd()
    quiet_fit(estimator("nmf"), DATA)
    assert signal.getsignal(signal.SIGINT) is handler and dict(os.environ) == environment
    assert np.random.get_state()[1].tobytes() == state and os.getcwd() == folder


def test_the_work_on_new_data_can_be_interrupted():
    rng = np.random.default_rng(0)
    one = gingham.OnlineDictionaryLearning(atoms=200, lambda_=0.01, epochs=1).fit(rng.standard_normal((400, 100)))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            one.transform(rng.standard_normal((20000, 100)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 10
