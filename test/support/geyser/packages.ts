import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  type LoadGrpc,
  loadGeyser,
  type OpenGeyser,
} from '../../../src/platform/chain/transaction-source/geyser/client.ts';

const HOME = fileURLToPath(new URL('../../geyser', import.meta.url));

/** gRPC and Yellowstone's message types stand in a folder of their own, which not everybody has filled. */
export const hasGeyser = existsSync(`${HOME}/node_modules/@grpc/grpc-js`);
if (!hasGeyser) process.stdout.write('skipped: run npm install --no-save --ignore-scripts in test/geyser\n');

export const loadHere = createRequire(`${HOME}/package.json`);

/** Streams as production opens them, with gRPC from that folder. */
export function openGeyserHere(): Promise<OpenGeyser> {
  const load: LoadGrpc = async () => [loadHere('@grpc/grpc-js'), loadHere('@grpc/proto-loader')];
  return loadGeyser(load);
}

/** What Yellowstone's own package encodes and decodes with: written by other hands than our `geyser.proto`. */
export const loadMessages = (): unknown =>
  loadHere(`${HOME}/node_modules/@triton-one/yellowstone-grpc/dist/cjs/grpc/geyser.js`);
