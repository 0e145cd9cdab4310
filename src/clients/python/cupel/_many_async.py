"""Many specs in, an answer for each, for asyncio; see _many.py."""

from __future__ import annotations

import asyncio
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Iterable,
    List,
    Optional,
    Union,
)

from ._many import Answer, Ledger, Lines, Spec, argv_of
from ._process import CHUNK_BYTES, os_error


async def _each(
    specs: Union[Iterable[Spec], AsyncIterable[Spec]]
) -> AsyncIterator[Spec]:
    if isinstance(specs, AsyncIterable):
        async for spec in specs:
            yield spec
    else:
        for spec in specs:
            yield spec


class AsyncBatch:
    """A running batch, for execute_many_async."""

    def __init__(self, child: asyncio.subprocess.Process, ledger: Ledger,
                 cap_bytes: int) -> None:
        self.child = child
        self.ledger = ledger
        self.lines = Lines(cap_bytes)
        self.news = asyncio.Event()  # an answer has come, or a task has ended
        self.room = asyncio.Event()  # an answer was taken

    async def feed(
        self, specs: Union[Iterable[Spec], AsyncIterable[Spec]]
    ) -> None:
        """Send a line for each spec while there is room for its answer."""
        stdin = self.child.stdin
        assert stdin is not None
        try:
            async for spec in _each(specs):
                while not self.ledger.has_room():
                    self.room.clear()
                    await self.room.wait()
                stdin.write(self.ledger.line(spec))
                self.news.set()
                await stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the end of the batch says why
        finally:
            stdin.close()

    async def read(self) -> None:
        """Take answers until there are no more."""
        stdout = self.child.stdout
        assert stdout is not None
        while True:
            piece = await stdout.read(CHUNK_BYTES)
            if not piece:
                return
            for line in self.lines.take(piece):
                self.ledger.put(line)
            self.news.set()

    async def complain(self) -> bytes:
        """The beginning of its complaint."""
        stderr = self.child.stderr
        assert stderr is not None
        kept = b""
        while True:
            piece = await stderr.read(CHUNK_BYTES)
            if not piece:
                return kept
            kept = (kept + piece)[:CHUNK_BYTES]

    async def leave(self) -> None:
        """Close stdin, and wait for that: the event loop may end next."""
        stdin = self.child.stdin
        assert stdin is not None
        stdin.close()
        try:
            await stdin.wait_closed()
        except (BrokenPipeError, ConnectionResetError):
            pass

    async def rest(self, stream: Optional[asyncio.StreamReader]) -> None:
        """Read unwanted output, so that the event loop closes the pipe."""
        assert stream is not None
        while await stream.read(CHUNK_BYTES):
            pass

    async def answers(
        self, specs: Union[Iterable[Spec], AsyncIterable[Spec]]
    ) -> AsyncGenerator[Answer, None]:
        """All answers, as they come.  Raises what specs raises, too."""
        feeder = asyncio.ensure_future(self.feed(specs))
        reader = asyncio.ensure_future(self.read())
        complaint = asyncio.ensure_future(self.complain())
        tasks: List[asyncio.Future[Any]] = [feeder, reader, complaint]
        for task in tasks:
            task.add_done_callback(lambda _: self.news.set())
        try:
            while True:
                self.news.clear()
                answer = self.ledger.take()
                if answer is not None:
                    self.room.set()
                    yield answer
                    continue
                if feeder.done():
                    feeder.result()
                if reader.done():
                    break
                await self.news.wait()
            reader.result()
            self.ledger.end(await self.child.wait(), await complaint)
        finally:
            if self.child.returncode is None:
                self.child.kill()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.leave()
            await asyncio.gather(self.rest(self.child.stdout),
                                 self.rest(self.child.stderr))
            await self.child.wait()


async def run_many_async(
    binary: str,
    specs: Union[Iterable[Spec], AsyncIterable[Spec]],
    jobs: Optional[int],
    ordered: bool,
    cap_bytes: int,
) -> AsyncGenerator[Answer, None]:
    """The generator behind SandboxClient.execute_many_async."""
    try:
        child = await asyncio.create_subprocess_exec(
            *argv_of(binary, jobs, ordered),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as e:
        raise os_error(binary, e) from e
    batch = AsyncBatch(child, Ledger(jobs, ordered), cap_bytes)
    answers = batch.answers(specs)
    try:
        async for answer in answers:
            yield answer
    finally:
        # Otherwise the event loop would close it later, or end before that.
        await answers.aclose()
