/** `npm run localnet`: the chain alone, on LOCALNET_PORT as for `npm start`, unless --port names another. */
import { loadProcessConfig } from '../src/config.ts';
import { describeStartFailure } from '../src/start-failure.ts';

const isNamed = (process.env['LOCALNET_PORT'] ?? '').trim() !== '';
try {
  if (isNamed && !process.argv.includes('--port'))
    process.argv.push('--port', String(loadProcessConfig().local.chainPort));
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
await import('@tradepost/local-chain/cli');
