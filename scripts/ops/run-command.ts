import type { Config } from '../../src/config.ts';
import { describeStartFailure } from '../../src/start-failure.ts';

const USAGE = `npm run ops -- <command>

  kek status               wallets per key-encryption key, and whether that key is configured
  kek rotate [--batch N]   re-wrap every data key under the current key (resumable; signing goes on)
  audit [--books-only]     recompute the books from their entries and compare them with the chain
  dump FILE                write the database into a new file, in one snapshot
  restore FILE [--replace] put a dump into an empty database; it starts in quarantine
  backup open FILE         print the key of a wallet's backup file; needs the passphrase, no service and no network
  api-key issue|list|revoke  keys of the pro host
  lut sync [--yes]         make or extend lookup tables of the accounts that repeat; prints the cost, with --yes carries it out
  lut list                 the lookup tables that are ours, and whether the chain agrees
  lut close ADDRESS        take a table out of use; run it again after some minutes to get its rent back
  points abuse             top miners, taps like a machine's, withdrawal addresses that several people share
  points budget SOL        how much is left for rebates from now on
  points stock ITEM N      how many of an item are left from now on
  points season-close      end the season that is over: what is not carried over expires
  convert announce SOL OPENS CLOSES  a period in which points are given for a share of so many SOL, e.g. 1 2027-01-01 2027-01-08
  convert list | cancel N  the periods; take one back and give its points back
  verify-game ROUND        recompute a round of a game from its commitment, seed and choice
  referrals flags          inviters who look like one person with somebody they invited, with the evidence
  verify-receipt SIGNATURE [--treasury ADDRESS] [--rpc URL] [--no-database]
                           recompute a receipt's fee and share from the chain and the fee table, compare the books
  second-factor end ID     end the authenticator of a Telegram id who lost it, after a day
  reconcile [--accept]     compare a quarantined database with the chain, complete it, lift the quarantine
`;

class UsageError extends Error {}

/** Carries out one command; the exit code it asks for. `config` is asked by the commands that need one. */
export async function runCommand(
  args: readonly string[],
  config: () => Config,
  print: (line: string) => void,
): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const flag = (name: string): boolean => args.includes(`--${name}`);
  const [command, second] = words;
  switch (command) {
    case 'kek':
      if (second === 'status') return (await import('./kek.ts')).kekStatus(config(), print);
      if (second === 'rotate')
        return (await import('./kek.ts')).kekRotate(config(), { batch: batchOf(args, words) }, print);
      throw new UsageError(`kek takes "status" or "rotate", not "${second ?? ''}"`);
    case 'audit':
      return (await import('./audit.ts')).runAudit(config(), { booksOnly: flag('books-only') }, print);
    case 'dump':
      return (await import('./dump.ts')).runDump(config(), fileOf(second, 'dump'), print);
    case 'restore':
      return (await import('./dump.ts')).runRestore(
        config(),
        { path: fileOf(second, 'restore'), replace: flag('replace') },
        print,
      );
    case 'backup':
      if (second !== 'open') throw new UsageError(`backup takes "open", not "${second ?? ''}"`);
      return (await import('./backup-open.ts')).run(args.slice(2));
    case 'api-key':
      return (await import('./api-key.ts')).run(args.slice(1));
    case 'lut':
      return (await import('./lut.ts')).runLut(config(), args.slice(1), print);
    case 'points':
      return (await import('./points.ts')).runPoints(config(), args.slice(1), print);
    case 'convert':
      return (await import('./convert.ts')).runConvert(config(), args.slice(1), print);
    case 'verify-game':
      if (second === undefined) throw new UsageError('verify-game needs the name of a round');
      return (await import('./verify-game.ts')).runVerifyGame(config(), second, print);
    case 'referrals':
      return (await import('./referrals.ts')).runReferrals(config(), args.slice(1), print);
    case 'verify-receipt':
      return (await import('./verify-receipt.ts')).runVerifyReceipt(config(), args.slice(1), print);
    case 'second-factor':
      return (await import('./second-factor.ts')).runSecondFactor(config(), args.slice(1), print);
    case 'reconcile':
      return (await import('./reconcile.ts')).runReconcile(config(), { accept: flag('accept') }, print);
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

/** What the operator reads when a command threw, and the exit code that goes with it. */
export function describeFailure(error: unknown): { readonly text: string; readonly code: 1 | 2 } {
  if (error instanceof UsageError) return { text: `${error.message}\n\n${USAGE}`, code: 2 };
  const text =
    error instanceof Error && ['DumpError', 'OpsError', 'LookupTableError'].includes(error.name)
      ? error.message
      : describeStartFailure(error).replaceAll('Tradepost cannot start: ', '');
  return { text: `${text}\n`, code: 1 };
}
