export { name, run } from '../packages/local-chain/bench/run.ts';
