import { AppError, hasCode } from '../../core/errors/app-error.ts';
import { type LineSeal, type WritableEntry, writeLine } from '../../engine/signing/rules/line.ts';
import type { JournalRecord } from '../../engine/signing/rules/record.ts';
import type { LogFile } from './log-file.ts';

type Last = Pick<JournalRecord, 'seq' | 'hash'>;

type Waiting = {
  readonly entry: WritableEntry;
  readonly done: (record: JournalRecord) => void;
  readonly failed: (error: unknown) => void;
};

export type LineWriter = {
  readonly append: (entry: WritableEntry) => Promise<JournalRecord>;
  readonly note: (entry: WritableEntry) => void;
  /** The last flushed line. */
  last(): Last;
  /** Bytes of the file that are flushed. */
  size(): number;
  /** Goes on in another file, once everything before is flushed; `last` is that file's last line. */
  moveTo(file: LogFile, last: Last): void;
  /** Writes the noted lines, and closes the file. */
  readonly close: () => Promise<void>;
};

/**
 * Writes lines in the order in which they were given, and flushes once for all that wait: while one flush runs, the next lines
 * gather. After a failure the file is cut back to its flushed part, so that nothing half written is ever built upon, and the
 * next line tries again.
 */
export function createLineWriter(options: {
  readonly file: LogFile;
  readonly last: Last;
  readonly seal: LineSeal;
  readonly now: () => number;
  /** Asked before each flush, so that a segment begins where no line is under way. */
  readonly beforeFlush?: () => Promise<void>;
}): LineWriter {
  const { seal, now } = options;
  let { file, last } = options;
  let size = file.size();
  let ended: AppError | null = null;
  let isClosed = false;

  const write = async (batch: readonly Waiting[]): Promise<readonly JournalRecord[]> => {
    const { bytes, records } = linesOf({ seal, last, at: now() }, batch);
    assertAlone(file, size);
    file.write(bytes);
    await flushOrCut(file, size, bytes.length);
    // Another writer's bytes are noticed before anything leaves on the strength of ours.
    assertAlone(file, size + bytes.length);
    size += bytes.length;
    last = records.at(-1) ?? last;
    return records;
  };

  const flushBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      if (ended !== null) throw ended;
      await options.beforeFlush?.();
      answer(batch, await write(batch));
    } catch (error) {
      if (hasCode(error, 'JOURNAL_TAKEN')) ended = error;
      else ended ??= repair(file, size);
      const said = ended ?? full(error);
      for (const { failed } of batch) failed(said);
    }
  };

  const batches = createBatches(flushBatch);
  return {
    ...adding(batches),
    last: () => last,
    size: () => size,
    moveTo: (next, lastOfNext) => {
      file.close();
      file = next;
      last = lastOfNext;
      size = next.size();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await batches.drain();
      ended ??= new AppError('JOURNAL_FULL', { cause: 'the journal is closed' });
      file.close();
    },
  };
}

/**
 * Flushes the newest `length` bytes, which begin at `size`. They are cut away where another signer holds the lease: they are on no other
 * disk then, and here they would make a second chain. Throws as the flush.
 */
async function flushOrCut(file: LogFile, size: number, length: number): Promise<void> {
  try {
    await file.flush();
  } catch (error) {
    if (hasCode(error, 'JOURNAL_TAKEN') && file.size() === size + length) repair(file, size);
    throw error;
  }
}

/** Those who wait for a batch get the records that it became. */
function answer(batch: readonly Waiting[], records: readonly JournalRecord[]): void {
  batch.forEach(({ done }, index) => {
    const record = records[index];
    if (record !== undefined) done(record);
  });
}

/** Lines in: one that is waited for, or one that goes with the next. */
function adding(batches: ReturnType<typeof createBatches>): Pick<LineWriter, 'append' | 'note'> {
  return {
    append: (entry) =>
      new Promise((done, failed) => {
        batches.add({ entry, done, failed });
        void batches.drain();
      }),
    note: (entry) => batches.add({ entry, done: () => undefined, failed: () => undefined }),
  };
}

/** One batch at a time; later lines form the next one. */
function createBatches(work: (batch: readonly Waiting[]) => Promise<void>) {
  let queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await work(batch);
    }
    running = null;
  };
  return {
    add: (waiting: Waiting): void => void queue.push(waiting),
    drain: (): Promise<void> => {
      running ??= Promise.resolve().then(run);
      return running;
    },
  };
}

/** The lines of a batch behind `last`, and the records that they read as. */
function linesOf(
  { seal, last, at }: { readonly seal: LineSeal; readonly last: Last; readonly at: number },
  batch: readonly Waiting[],
): { readonly bytes: Buffer; readonly records: readonly JournalRecord[] } {
  const records: JournalRecord[] = [];
  const lines = batch.map(({ entry }) => {
    const before = records.at(-1) ?? last;
    const { line, record } = writeLine(seal, { seq: before.seq + 1, epoch: 0, at, prev: before.hash, entry });
    records.push(record);
    return `${line}\n`;
  });
  return { bytes: Buffer.from(lines.join(''), 'utf8'), records };
}

function assertAlone(file: LogFile, size: number): void {
  const found = file.size();
  if (found === size) return;
  throw new AppError('JOURNAL_TAKEN', {
    cause: `the journal has ${found} bytes, and this process wrote ${size}: somebody else writes it`,
  });
}

/** Cuts away the part that is not flushed. Null when that worked: the next line tries again. */
function repair(file: LogFile, size: number): AppError | null {
  try {
    file.truncate(size);
    return null;
  } catch (error) {
    const cause = 'the journal cannot be cut back: start the signer again';
    return new AppError('JOURNAL_FULL', { cause }, { cause: error });
  }
}

function full(error: unknown): AppError<'JOURNAL_FULL'> {
  if (hasCode(error, 'JOURNAL_FULL')) return error;
  const cause = error instanceof Error ? error.message : String(error);
  return new AppError('JOURNAL_FULL', { cause }, { cause: error });
}
