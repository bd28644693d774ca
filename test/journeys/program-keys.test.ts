import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { foldPositions } from '../../src/modules/positions/use/fold-positions.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { buildSite } from '../api/build-site.ts';
import { signedHeaders } from '../api/program.ts';
import { botKey } from '../modules/personal-keys/bot-key.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';
import { sayAndWait, tapAndWait } from './token-wizard.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('program-keys', { spendCapLamports: 100_000_000_000n });
});
afterAll(() => rig.stop());

type Answer = { readonly data: never; readonly error?: { readonly code: string } };

it('a person adds a key in the chat, their program reads what the chat shows, and /panic ends it', async () => {
  const { person, wallet } = await rig.trader('Robin', 10n);
  const { mint } = rig.token('PUP');
  const { app } = buildSite(
    { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
    {
      programDesk: createProgramDesk({
        db: rig.db,
        clock: rig.clock,
        signatureChecks: createSignatureChecks(),
        endOrder: rig.services.personalKeys.endOrder,
        makeTrade: rig.services.personalKeys.makeTrade,
        placeOrder: rig.services.personalKeys.placeOrder,
        isCertified: personalKeyCheck(await rig.vault.certificateKey()),
        log: rig.log,
      }),
    },
  );

  // The public half is pasted; the PIN is asked for, and the list says the id that requests name.
  const { privateKey, publicKey } = botKey();
  await sayAndWait(person, '/setting', /Settings/);
  await tapAndWait(person, 'Security', /PIN: not set/);
  await tapAndWait(person, 'Set a PIN', /Type a new PIN/);
  await sayAndWait(person, PIN, /once more/);
  await sayAndWait(person, PIN, /The PIN is set/);
  await sayAndWait(person, '/setting', /Settings/);
  await tapAndWait(person, 'Security', /PIN: set/);
  await tapAndWait(person, 'Program keys', /0 of 5/);
  await tapAndWait(person, 'Add a key', /public.* key of your program/);
  await sayAndWait(person, publicKey, /May: look/);
  await tapAndWait(person, /End orders/, /May: look, trade, end orders\n/);
  await tapAndWait(person, /Place orders/, /May: look, trade, end orders, place orders/);
  await tapAndWait(person, 'Add with PIN', /Type your PIN/);
  const listed = await sayAndWait(person, PIN, /1 of 5/);
  const [id = ''] = /\b[0-9A-HJKMNP-TV-Z]{26}\b/.exec(listed.text ?? '') ?? [];
  const key = await rig.db.personalKeys.find(id);
  if (key === null) throw new Error(`the list names no key: ${listed.text}`);
  expect(key).toMatchObject({ walletId: wallet.id, publicKey });

  const read = async (url: string): Promise<Answer> => {
    const headers = signedHeaders({ key, privateKey, seed: '' }, rig.clock.now(), { url });
    return (await app.inject({ url, headers })).json<Answer>();
  };
  expect(await read('/desk/positions')).toEqual({ data: [] });

  // A purchase in the chat is a trade, and then a position, with the figures of the chat.
  await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
  await tapAndWait(person, '🟢 0.5', /At least/);
  await tapAndWait(person, 'Confirm buy', /^Bought/);
  const userId = wallet.userId ?? '';
  await until(async () => (await read('/desk/positions')).data[0]);
  const [position] = (await foldPositions(rig.db, userId)).positions;
  expect(await read('/desk/positions')).toMatchObject({
    data: [{ mint, units: position?.units.toString(), costLamports: position?.cost.toString() }],
  });
  await until(async () => (await rig.intents(person))[0]?.status === 'SUCCEEDED');
  const [bought] = await rig.intents(person);
  expect(await read('/desk/trades')).toMatchObject({
    data: {
      trades: [
        {
          id: bought?.id,
          side: 'buy',
          mint,
          amountIn: '500000000',
          status: 'succeeded',
          orderId: null,
          units: position?.units.toString(),
          signature: bought?.outcome?.receipt?.signature,
        },
      ],
      next: null,
    },
  });

  // An order that waits is listed, and is gone once it was ended.
  expect(await read('/desk/orders')).toEqual({ data: [] });
  await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
  await tapAndWait(person, 'Limit', /Limit (buy|sell)/);
  await tapAndWait(person, 'Other price', /At which price/);
  await sayAndWait(person, '-40%', /You never pay more/);
  await tapAndWait(person, 'Place order', /Order #1/);
  expect(await read('/desk/orders')).toMatchObject({
    data: [{ number: 1, mint, side: 'buy', type: 'LIMIT', status: 'OPEN', filled: '0' }],
  });

  const [waiting] = (await read('/desk/orders')).data as { readonly id: string }[];
  const url = `/desk/orders/${waiting?.id}`;
  const headers = signedHeaders({ key, privateKey, seed: '' }, rig.clock.now(), { method: 'DELETE', url });
  const ended = await app.inject({ method: 'DELETE', url, headers });
  expect(ended.json()).toEqual({ data: { id: waiting?.id, status: 'CANCELLED', sent: false } });
  await person.waitFor(/Program key .* ended an order/);
  expect(await read('/desk/orders')).toEqual({ data: [] });

  // Frozen: the key has ended, for good.
  await person.say('/panic');
  await until(async () => (await rig.db.personalKeys.find(id))?.endedAt);
  for (const url of ['/desk/positions', '/desk/trades', '/desk/orders'])
    expect((await read(url)).error?.code).toBe('PERSONAL_KEY_ENDED');
  await app.close();
}, 120_000);
