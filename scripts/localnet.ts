/** `npm run localnet`: the chain alone, with the desk, on LOCALNET_PORT as for `npm start`, unless --port names another. */
import { runCli } from '@tradepost/local-chain';
import { describeStartFailure } from '../src/compose/start-failure.ts';
import { loadProcessConfig } from '../src/config/index.ts';
import { DESK } from '../src/local/desk/index.ts';
import { RESET_HINT } from '../src/local/reset-hint.ts';

const isNamed = (process.env['LOCALNET_PORT'] ?? '').trim() !== '';
try {
  if (isNamed && !process.argv.includes('--port'))
    process.argv.push('--port', String(loadProcessConfig().local.chainPort));
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
await runCli(process.argv.slice(2), {
  plugin: DESK,
  describe: (rpcUrl) => [`Desk       ${rpcUrl}/desk/pools   (demonstration exchange, play money)`],
  resetHint: RESET_HINT,
});
