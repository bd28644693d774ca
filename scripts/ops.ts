/** `npm run ops -- <command>`: the operator's tools, each loaded when it is asked for. Each says what it did; exit code 1 = look at it, 2 = wrong use. */
import { loadProcessConfig } from '../src/config.ts';
import { describeStartFailure } from '../src/start-failure.ts';

const USAGE = `npm run ops -- <command>

  kek status               wallets per key-encryption key, and whether that key is configured
  kek rotate [--batch N]   re-wrap every data key under the current key (resumable; signing goes on)
  audit [--books-only]     recompute the books from their entries and compare them with the chain
  dump FILE                write the database into a new file, in one snapshot
  restore FILE [--replace] put a dump into an empty database; it starts in quarantine
  backup open FILE         print the key of a wallet's backup file; needs the passphrase, no service and no network
  api-key issue|list|revoke  keys of the pro host
  reconcile [--accept]     compare a quarantined database with the chain, complete it, lift the quarantine
`;

class UsageError extends Error {}

async function run(args: readonly string[]): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const words = args.filter((arg) => !arg.startsWith('--'));
  const flag = (name: string): boolean => args.includes(`--${name}`);
  const [command, second] = words;
  switch (command) {
    case 'kek':
      if (second === 'status') return (await import('./ops/kek.ts')).kekStatus(loadProcessConfig(), print);
      if (second === 'rotate')
        return (await import('./ops/kek.ts')).kekRotate(
          loadProcessConfig(),
          { batch: batchOf(args, words) },
          print,
        );
      throw new UsageError(`kek takes "status" or "rotate", not "${second ?? ''}"`);
    case 'audit':
      return (await import('./ops/audit.ts')).runAudit(
        loadProcessConfig(),
        { booksOnly: flag('books-only') },
        print,
      );
    case 'dump':
      return (await import('./ops/dump.ts')).runDump(loadProcessConfig(), fileOf(second, 'dump'), print);
    case 'restore':
      return (await import('./ops/dump.ts')).runRestore(
        loadProcessConfig(),
        { path: fileOf(second, 'restore'), replace: flag('replace') },
        print,
      );
    case 'backup':
      if (second !== 'open') throw new UsageError(`backup takes "open", not "${second ?? ''}"`);
      return (await import('./ops/backup-open.ts')).run(args.slice(2));
    case 'api-key':
      return (await import('./ops/api-key.ts')).run(args.slice(1));
    case 'reconcile':
      return (await import('./ops/reconcile.ts')).runReconcile(
        loadProcessConfig(),
        { accept: flag('accept') },
        print,
      );
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command "${command}"`);
  }
}

function fileOf(path: string | undefined, command: string): string {
  if (path === undefined) throw new UsageError(`${command} needs the name of a file`);
  return path;
}

function batchOf(args: readonly string[], words: readonly string[]): number {
  if (!args.includes('--batch')) return 500;
  const batch = Number(words[2]);
  if (!Number.isInteger(batch) || batch < 1 || batch > 5_000) {
    throw new UsageError('--batch takes a whole number from 1 to 5000');
  }
  return batch;
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof UsageError || (error instanceof Error && error.name === 'DumpError');
    const text = known
      ? error.message
      : describeStartFailure(error).replaceAll('Tradepost cannot start: ', '');
    process.stderr.write(`${text}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
