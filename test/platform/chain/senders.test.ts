import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { offerTip } from '../../../src/modules/trading/use/offer-tip.ts';
import { createJitoSender } from '../../../src/platform/chain/senders/jito.ts';
import { sendBy } from '../../../src/platform/chain/senders/send-by.ts';
import type { SendOutcome } from '../../../src/platform/ports/chain.ts';
import type { Sender } from '../../../src/platform/ports/sender.ts';
import { addressOf } from '../../engine/intents/build.ts';

const BYTES = new Uint8Array([1, ...new Uint8Array(64).fill(7), 9]);
const TO = addressOf(200);

function sender(name: Sender['name'], protects: boolean, outcome: SendOutcome | Error) {
  const sent: Uint8Array[] = [];
  const made: Sender & { readonly sent: readonly Uint8Array[] } = {
    name,
    protects,
    versions: [0],
    minTip: 1_000n,
    tipAccounts: [TO],
    sent,
    send: async (bytes) => {
      sent.push(bytes);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    tip: async () => {
      if (outcome instanceof Error) throw outcome;
      return 3_000n;
    },
  };
  return made;
}
const OK = { kind: 'accepted' } as const;
const AWAY = new Error('away');

describe('the way of signed bytes', () => {
  it('is the nodes where none was confirmed', async () => {
    const [rpc, jito] = [sender('rpc', false, OK), sender('jito', true, OK)];
    expect(await sendBy({ rpc, others: [jito] }, undefined, BYTES)).toEqual(OK);
    expect([rpc.sent.length, jito.sent.length]).toEqual([1, 0]);
  });

  it('never leads a protected transaction to the nodes: not where the sender is away, refuses, or is gone', async () => {
    const by = { sender: 'jito', protects: true } as const;
    const refused = { kind: 'refused', err: 'x', logs: [] } as const;
    for (const outcome of [OK, AWAY, refused]) {
      const [rpc, jito] = [sender('rpc', false, OK), sender('jito', true, outcome)];
      await sendBy({ rpc, others: [jito] }, by, BYTES).catch(() => null);
      expect([rpc.sent.length, jito.sent.length]).toEqual([0, 1]);
    }
    const rpc = sender('rpc', false, OK);
    for (const others of [[], [sender('jito', false, OK)]])
      await expect(sendBy({ rpc, others }, by, BYTES)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    expect(rpc.sent).toEqual([]);
  });

  it('is both where it need not be hidden, and one acceptance is enough', async () => {
    const by = { sender: 'sender', protects: false } as const;
    for (const [node, paid] of [
      [OK, AWAY],
      [AWAY, OK],
    ] as const) {
      const others = [sender('sender', false, paid)];
      expect(await sendBy({ rpc: sender('rpc', false, node), others }, by, BYTES)).toEqual(OK);
    }
    const others = [sender('sender', false, AWAY)];
    await expect(sendBy({ rpc: sender('rpc', false, AWAY), others }, by, BYTES)).rejects.toThrow('away');
  });
});

describe('the tip that is offered', () => {
  const deps = (senders: readonly Sender[], tipCapLamports = 5_000_000n) => ({
    senders,
    tipCapLamports,
    random: () => 0,
  });

  it('is what lands now, up to twice as much for later attempts, and never above the cap', async () => {
    const jito = sender('jito', true, OK);
    expect(await offerTip(deps([jito]), 'protected')).toEqual({
      kind: 'tip',
      tip: { sender: 'jito', protects: true, to: TO, lamports: 3_000n, atMost: 6_000n },
    });
    expect(await offerTip(deps([jito], 4_000n), 'protected')).toMatchObject({ tip: { atMost: 4_000n } });
  });

  it('is none for Normal and for Fast without a sender, and "down" for Protected without one that protects', async () => {
    const paid = sender('sender', false, OK);
    expect(await offerTip(deps([paid]), 'normal')).toEqual({ kind: 'none' });
    expect(await offerTip(deps([]), 'fast')).toEqual({ kind: 'none' });
    expect(await offerTip(deps([paid]), 'protected')).toEqual({ kind: 'down' });
    expect(await offerTip(deps([sender('jito', true, AWAY)]), 'protected')).toEqual({ kind: 'down' });
    expect(await offerTip(deps([sender('jito', true, OK)], 500n), 'protected')).toEqual({ kind: 'down' });
  });

  it('by Fast goes to a block engine without protection where there is no paid sender', async () => {
    const offer = await offerTip(deps([sender('jito', true, OK)]), 'fast');
    expect(offer).toMatchObject({ tip: { sender: 'jito', protects: false } });
  });
});

describe('a block engine', () => {
  let server: Server | null = null;
  afterEach(() => server?.close());
  const engine = async (floor: unknown): Promise<Sender> => {
    server = createServer((request, response) => {
      const body = request.url?.includes('floor') ? floor : { jsonrpc: '2.0', id: 1, result: [TO] };
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createJitoSender({ url, floorUrl: `${url}/floor`, minTip: 1_000n, tipAccounts: [TO] });
  };

  it('says the tip that half of the landed ones were below, in lamports, rounded up', async () => {
    const jito = await engine([{ ema_landed_tips_50th_percentile: 0.0000123456 }]);
    expect(await jito.tip()).toBe(12_346n);
  });

  it.each(['<h1>page</h1>', [], [{}], [{ ema_landed_tips_50th_percentile: 7 }], { a: Number.NaN }])(
    'is paid its least where its page says %j',
    async (floor) => {
      expect(await (await engine(floor)).tip()).toBe(1_000n);
    },
  );
});
