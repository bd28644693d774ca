import { ArgumentError, readArguments } from './arguments.ts';
import type { FaultPlanInput } from './faults/fault-plan.ts';
import { providerPlan } from './faults/providers.ts';
import { NETWORK_NAMES, type NetworkName } from './networks.ts';
import type { ChainPlugin } from './plugin.ts';
import { runUntilSignal } from './run-until-signal.ts';
import { startLocalChain } from './start-local-chain.ts';
import { StateError } from './state/state-error.ts';

const DEFAULT_PORT = 8899;

export type CliOptions<Kept extends object> = {
  readonly plugin?: ChainPlugin<Kept>;
  /** Lines of the plug-in's own, shown under the addresses. */
  readonly describe?: (rpcUrl: string) => readonly string[];
  readonly resetHint?: string;
};

/**
 * `[--port N] [--dir D] [--programs D] [--slot-ms N] [--seed S] [--provider public|free|paid|hostile] [--network 2025|mainnet-2026-11]`: the chain alone,
 * until Ctrl-C. Never returns before it serves; an error that a person can mend ends the process with code 1 and one line.
 */
export async function runCli<Kept extends object = object>(
  argv: readonly string[],
  options: CliOptions<Kept> = {},
): Promise<void> {
  try {
    await serve(argv, options);
  } catch (error) {
    fail(error);
  }
}

async function serve<Kept extends object>(
  argv: readonly string[],
  { plugin, describe, resetHint }: CliOptions<Kept>,
): Promise<void> {
  const given = readArguments(argv, ['port', 'dir', 'programs', 'slot-ms', 'seed', 'provider', 'network']);
  const [dir, programsDir, seed] = [given.one('dir'), given.one('programs'), given.one('seed')];
  const [provider, network] = [given.one('provider'), given.one('network')];
  const slotMs = given.one('slot-ms');
  const running = await startLocalChain({
    port: given.integer('port', DEFAULT_PORT),
    ...(slotMs === undefined ? {} : { slotMs: given.integer('slot-ms', 0) }),
    ...(network === undefined ? {} : { network: knownNetwork(network) }),
    ...(dir === undefined ? {} : { dir }),
    ...(programsDir === undefined ? {} : { programsDir }),
    ...(seed === undefined ? {} : { seed }),
    ...(provider === undefined ? {} : { faults: planOf(provider) }),
    ...(plugin === undefined ? {} : { plugin }),
    ...(resetHint === undefined ? {} : { resetHint }),
    log: say,
  });
  say(`RPC        ${running.rpcUrl}`);
  say(`WebSocket  ${running.wsUrl}`);
  for (const line of describe?.(running.rpcUrl) ?? []) say(line);
  say(`State      ${dir ?? 'in memory, gone when this stops (--dir keeps it)'}`);
  for (const token of running.world.tokens) say(`Token      ${token.symbol.padEnd(5)} ${token.mint}`);
  const { programs, accounts } = running.programs;
  if (programs.length + accounts.length > 0) {
    say(`Loaded     ${programs.length} programs, ${accounts.length} accounts`);
  }
  say(`Faucet     solana airdrop 5 <address> --url ${running.rpcUrl}   (any amount: requestAirdrop)`);
  runUntilSignal(() => running.stop(), fail);
}

/** Throws ArgumentError for an unknown name. */
function planOf(provider: string): FaultPlanInput {
  try {
    return providerPlan(provider);
  } catch (error) {
    throw new ArgumentError(`--provider: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws ArgumentError for an unknown name. */
function knownNetwork(name: string): NetworkName {
  const known = NETWORK_NAMES.find((one) => one === name);
  if (known === undefined)
    throw new ArgumentError(`--network: expected one of ${NETWORK_NAMES.join(', ')}, not "${name}".`);
  return known;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): never {
  const expected = error instanceof ArgumentError || error instanceof StateError;
  const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const text =
    error instanceof Error
      ? expected || isBusy
        ? error.message
        : (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${isBusy ? `The port is taken (${text}): choose another with --port.` : text}\n`);
  process.exit(1);
}
