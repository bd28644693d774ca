import { createPrograms } from '../../../../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../../../../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../../../../../src/platform/venues/index.ts';
import { openTapeRig } from './tape-rig.ts';

/** The indexer alone, in a process that may be killed: what it needs is in its arguments. Says `ready` when it runs. */
const [databaseUrl = '', rpcUrl = '', wsUrl = '', deskUrl = '', genesisHash = ''] = process.argv.slice(2);

const chain = createRpcChain({ urls: [rpcUrl] });
const [desk] = createVenues({ chain, programs: createPrograms(), deskUrl });
if (desk === undefined) throw new Error('there is no desk');
const rig = await openTapeRig({
  databaseUrl,
  chain,
  desk,
  genesisHash,
  source: 'blocks',
  urls: [rpcUrl],
  wsUrls: [wsUrl],
});
await rig.indexer.start();
process.stdout.write('ready\n');
