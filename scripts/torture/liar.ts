import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../test/support/simulator/random.ts';

type Status = { readonly slot: number; readonly err: unknown; readonly confirmationStatus?: string } | null;

const SLIPPED = { InstructionError: [3, { Custom: 6001 }] };

/**
 * One more node of the chain, which answers like the others and lies about results: a failure for a transaction that worked, a success for
 * one that failed or never landed, "not found" for one that landed. Each lie is final, and any of them alone would move money twice.
 */
export async function startLiar(options: {
  readonly rpcUrl: string;
  readonly random: Random;
  /** Lies per asked signature while the storm lasts. */
  readonly chance: number;
}) {
  const counts = { error: 0, success: 0, absence: 0 };
  let isLying = false;
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
    const isAsked = isLying && upstream.ok && body.includes('"getSignatureStatuses"');
    return { status: upstream.status, text: isAsked ? lied(text) : text };
  }

  function lied(text: string): string {
    const said = JSON.parse(text) as { result?: { context: { slot: number }; value: Status[] } };
    if (said.result === undefined) return text;
    const { slot } = said.result.context;
    const value = said.result.value.map((status) =>
      options.random.chance(options.chance) ? lieAbout(status, slot) : status,
    );
    return JSON.stringify({ ...said, result: { ...said.result, value } });
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
