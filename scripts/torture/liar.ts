import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../test/support/simulator/random.ts';

type Status = { readonly slot: number; readonly err: unknown; readonly confirmationStatus?: string } | null;

/** Blocks for which a blockhash is good. */
const HASH_LIFE = 150;
/** A look for an end asks for the height, and then for the status: so long a lie about the height is believed. */
const HEIGHT_BELIEVED_MS = 5_000;
const SLIPPED = { InstructionError: [3, { Custom: 6001 }] };

/**
 * One more node of the chain, which answers like the others and lies about results: a failure for a transaction that worked, a success for
 * one that failed or never landed, "not found" for one that landed. Each lie is final, and any of them alone would move money twice.
 * Where it is asked to, it lies about block heights too.
 */
export async function startLiar(options: {
  readonly rpcUrl: string;
  readonly random: Random;
  /** Lies per asked signature while the storm lasts. */
  readonly chance: number;
  /** Lies per asked block height, 0 when absent: too low where `processed` is asked, too high where an end is looked for. */
  readonly heightChance?: number;
  /**
   * Hears each signature that it lied about. "Not found" in the whole history is one as well, where a height that is too high came before it:
   * together they prove the end of a transaction that may still land.
   */
  readonly onLie?: (signature: string) => void;
}) {
  const { heightChance = 0, onLie = () => undefined } = options;
  const counts = { error: 0, success: 0, absence: 0, lowHeight: 0, highHeight: 0 };
  let isLying = false;
  let highAt = Number.NEGATIVE_INFINITY;
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, text }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(text);
      })
      // The chain broke the connection: so does this node.
      .catch(() => response.destroy());
  });

  async function answer(request: AsyncIterable<Buffer>): Promise<{ status: number; text: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const upstream = await fetch(options.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await upstream.text();
    return { status: upstream.status, text: isLying && upstream.ok ? lied(body, text) : text };
  }

  function lied(body: string, text: string): string {
    if (body.includes('"getSignatureStatuses"')) return liedStatuses(body, text);
    if (heightChance === 0 || !options.random.chance(heightChance)) return text;
    if (body.includes('"getBlockHeight"')) return lowHeight(text);
    if (body.includes('"getLatestBlockhash"')) return highLastHeight(text);
    return body.includes('"getEpochInfo"') && body.includes('"finalized"') ? highHeight(text) : text;
  }

  function liedStatuses(body: string, text: string): string {
    const said = JSON.parse(text) as { result?: { context: { slot: number }; value: Status[] } };
    if (said.result === undefined) return text;
    const { slot } = said.result.context;
    const [asked = []] = (JSON.parse(body) as { params: readonly (readonly string[])[] }).params;
    const provesEnd =
      performance.now() - highAt < HEIGHT_BELIEVED_MS && body.includes('"searchTransactionHistory":true');
    const value = said.result.value.map((status, index) => {
      if (status === null && provesEnd) onLie(asked[index] ?? '');
      if (!options.random.chance(options.chance)) return status;
      onLie(asked[index] ?? '');
      return lieAbout(status, slot);
    });
    return JSON.stringify({ ...said, result: { ...said.result, value } });
  }

  /** Who works out from it how long a transaction may live calls a living one dead. */
  function lowHeight(text: string): string {
    const said = JSON.parse(text) as { result?: number };
    if (said.result === undefined) return text;
    counts.lowHeight += 1;
    return JSON.stringify({ ...said, result: Math.max(0, said.result - HASH_LIFE) });
  }

  /** By it each blockhash that lives now is over. */
  function highLastHeight(text: string): string {
    const said = JSON.parse(text) as { result?: { value: { lastValidBlockHeight: number } } };
    if (said.result === undefined) return text;
    counts.highHeight += 1;
    const { value } = said.result;
    const lastValidBlockHeight = value.lastValidBlockHeight + 2 * HASH_LIFE;
    return JSON.stringify({ ...said, result: { ...said.result, value: { ...value, lastValidBlockHeight } } });
  }

  /** The end of every blockhash that lives now. */
  function highHeight(text: string): string {
    const said = JSON.parse(text) as { result?: { blockHeight: number; absoluteSlot: number } };
    if (said.result === undefined) return text;
    counts.highHeight += 1;
    highAt = performance.now();
    return JSON.stringify({
      ...said,
      result: { ...said.result, blockHeight: said.result.blockHeight + 2 * HASH_LIFE },
    });
  }

  function lieAbout(status: Status, slot: number): Status {
    if (status !== null && options.random.chance(0.5)) {
      counts.absence += 1;
      return null;
    }
    const isError = status === null ? options.random.chance(0.5) : status.err === null;
    counts[isError ? 'error' : 'success'] += 1;
    const err = isError ? SLIPPED : null;
    return {
      ...status,
      slot: status?.slot ?? slot,
      err,
      status: isError ? { Err: err } : { Ok: null },
      confirmations: null,
      confirmationStatus: 'finalized',
    } as Status;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts: counts as Readonly<typeof counts>,
    setLying(lies: boolean): void {
      isLying = lies;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
