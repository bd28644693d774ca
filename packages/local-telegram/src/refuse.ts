import { assertNotProduction } from './loopback.ts';

/** The settings of the program around this server, as far as they can show that it is not a local one. */
export type RefuseSettings = {
  readonly nodeEnv?: string | undefined;
  /** A real bot's token: with one, Telegram itself is to be used. */
  readonly botToken?: string | undefined;
  readonly databaseUrl?: string | undefined;
  /** The genesis hash of the chain the program talks to. */
  readonly genesisHash?: string | undefined;
  /** True when the key that seals wallets was configured, and not made for this machine's local state. */
  readonly hasProductionMasterKey?: boolean | undefined;
};

/** Identifies mainnet-beta. */
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const WHAT = 'The local Telegram';

/**
 * Throws, naming the setting, when anything looks like production: a person who reaches this server may speak as any user, so it must never
 * serve real wallets.
 */
export function assertLocalSettings(settings: RefuseSettings): void {
  assertNotProduction(settings.nodeEnv, WHAT);
  if (settings.botToken !== undefined && settings.botToken !== '') {
    throw new Error(`${WHAT} never runs with TELEGRAM_BOT_TOKEN set: that bot lives on Telegram itself.`);
  }
  if (settings.databaseUrl !== undefined && !isLoopbackDatabase(settings.databaseUrl)) {
    throw new Error(
      `${WHAT} never runs on a database of another machine: DATABASE_URL must name 127.0.0.1, ::1 or localhost.`,
    );
  }
  if (settings.genesisHash === MAINNET_GENESIS) {
    throw new Error(`${WHAT} never runs on mainnet-beta: the chain's genesis hash is ${MAINNET_GENESIS}.`);
  }
  if (settings.hasProductionMasterKey === true) {
    throw new Error(
      `${WHAT} never runs with a production master key: anybody at this machine could spend from its wallets.`,
    );
  }
}

function isLoopbackDatabase(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, searchParams } = new URL(url);
  const hosts = [hostname, searchParams.get('host') ?? hostname];
  return hosts.every(
    (host) => ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(host) || host.startsWith('/'),
  );
}
