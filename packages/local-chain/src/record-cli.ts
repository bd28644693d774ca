#!/usr/bin/env node
import { ArgumentError, readArguments } from './arguments.ts';
import { RecordingError } from './recorder/recording-error.ts';
import { MAX_RECORDING_BYTES, startRecorder } from './recorder/start-recorder.ts';
import { runUntilSignal } from './run-until-signal.ts';

const DEFAULT_PORT = 8896;

/** `npm run rpc:record -- --to <rpc> --out <file> [--ws-to <url>] [--port N] [--max-bytes N]`. */
async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2), ['to', 'out', 'ws-to', 'port', 'max-bytes']);
  const [to, wsTo, out] = [given.one('to'), given.one('ws-to'), given.one('out')];
  if (to === undefined || !/^https?:\/\//.test(to) || !URL.canParse(to))
    throw new ArgumentError('--to must be the http(s) URL of a Solana RPC.');
  if (wsTo !== undefined && (!/^wss?:\/\//.test(wsTo) || !URL.canParse(wsTo)))
    throw new ArgumentError('--ws-to must be the ws(s) URL of a Solana RPC.');
  if (out === undefined) throw new ArgumentError('--out must name the file to write.');
  const recorder = await startRecorder({
    to,
    out,
    ...(wsTo === undefined ? {} : { wsTo }),
    port: given.integer('port', DEFAULT_PORT),
    maxBytes: given.integer('max-bytes', MAX_RECORDING_BYTES),
    log: say,
  });
  say(`RPC        ${recorder.rpcUrl}`);
  say(`WebSocket  ${recorder.wsUrl}`);
  say(`Network    ${recorder.genesisHash}`);
  say(`Recording  ${out}, until Ctrl-C. Without keys and headers; addresses and transactions are in it.`);
  runUntilSignal(async () => {
    await recorder.stop();
    const { lines, leftOut } = recorder.counts();
    say(
      `Written: ${lines} lines${leftOut === 0 ? '' : `; left out: ${leftOut}`}. Replay: npm run rpc:replay -- ${out}`,
    );
  }, fail);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error);
  const isOwn = error instanceof ArgumentError || error instanceof RecordingError;
  process.stderr.write(`${isOwn ? text : `Recording failed: ${text}`}\n`);
  process.exit(1);
}

main().catch(fail);
