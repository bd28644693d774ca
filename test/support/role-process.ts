/**
 * One role in a process of its own, as `src/main.ts` starts it, but with stand-ins for chain and Telegram that run in the
 * test: where they are stands as JSON in the first argument.
 */
import { startApp } from '../../src/app.ts';
import { describeStartFailure } from '../../src/compose/start-failure.ts';
import { loadProcessConfig } from '../../src/config/index.ts';

export type Elsewhere = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly deskUrl: string;
  readonly usdMint: string;
  readonly tokens: readonly string[];
  readonly botApiUrl: string;
  readonly token: string;
  readonly chatUrl: string;
};

const at = JSON.parse(process.argv[2] ?? '{}') as Elsewhere;
const { rpcUrl, wsUrl, deskUrl, usdMint, tokens, botApiUrl, token, chatUrl } = at;
const world = {
  chain: { rpcUrl, wsUrl, deskUrl, usdMint, tokens, airdrop: async () => ({ signature: '' }) },
  databaseUrl: null,
  telegram: { botApiUrl, token, chatUrl, operator: 0n },
  mail: null,
  publish: () => undefined,
  stop: async () => undefined,
};

startApp(
  loadProcessConfig(),
  () => undefined,
  new AbortController().signal,
  async () => ({ ready: Promise.resolve(world) }),
).then(
  (app) => {
    process.stdout.write('ready\n');
    process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)));
  },
  (error: unknown) => {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exit(1);
  },
);
