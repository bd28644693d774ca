#!/usr/bin/env node
import { ArgumentError, readArguments } from './arguments.ts';
import { RecordingError } from './recorder/recording-error.ts';
import { startReplayer } from './recorder/start-replayer.ts';
import { runUntilSignal } from './run-until-signal.ts';

const DEFAULT_PORT = 8895;

/** `npm run rpc:replay -- <file> [--port N] [--genesis <hash>]`. */
async function main(): Promise<void> {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith('--'))
    throw new ArgumentError('Name a file of npm run rpc:record first.');
  const given = readArguments(rest, ['port', 'genesis']);
  const genesis = given.one('genesis');
  const replayer = await startReplayer({
    file,
    ...(genesis === undefined ? {} : { genesis }),
    port: given.integer('port', DEFAULT_PORT),
    log: say,
  });
  say(`RPC        ${replayer.rpcUrl}`);
  say(`WebSocket  ${replayer.wsUrl}`);
  say(`Network    ${replayer.genesisHash}`);
  say(`Recorded   ${replayer.recordedAt}`);
  runUntilSignal(() => replayer.stop(), fail);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error);
  const isOwn = error instanceof ArgumentError || error instanceof RecordingError;
  process.stderr.write(`${isOwn ? text : `Replaying failed: ${text}`}\n`);
  process.exit(1);
}

main().catch(fail);
