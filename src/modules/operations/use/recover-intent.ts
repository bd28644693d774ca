import {
  type Address,
  addressFromBytes,
  type Instruction,
  METADATA_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { createdMintOf } from '../../../engine/intents/rules/created-mint.ts';
import type { Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import { recoveredParams } from '../../../engine/intents/rules/recovered-params.ts';
import { decodeInstruction } from '../../../engine/signing/rules/decode-instruction.ts';
import {
  decodeMessage,
  decodeUnresolved,
  UndecodableMessageError,
} from '../../../engine/signing/rules/decode-message.ts';
import { isCommon } from '../../../engine/signing/rules/read-message.ts';
import { messageOf } from '../../../engine/signing/rules/wire-transaction.ts';
import { newIntent } from '../../../engine/transactions/use/new-intent.ts';
import { captureIntent } from '../../../engine/transactions/use/settle-intent.ts';
import { recoveredMintRequest } from '../../mint/rules/recovered-request.ts';
import { adoptedAttempt } from './adopted-attempt.ts';
import type { Finding, Landing, ReconcileDeps } from './reconcile.ts';

/** `MintTo` and `MintToChecked` of either token program. */
const MINT_TO: ReadonlySet<number> = new Set([7, 14]);
/** Placeholder while the kind is not known yet: only `destination` of a withdrawal matters to a receipt's rent. */
const UNKNOWN: IntentParams = { kind: 'payout', items: [] };

/**
 * Recreates a request that was made after the dump from the effects of its transaction, as SUCCEEDED, with its fee and reward. Facts that
 * the chain lacks (the quote, the slippage agreed) are set to the landed amounts.
 */
export async function recoverIntent(
  deps: ReconcileDeps,
  landing: Landing,
): Promise<Pick<Finding, 'what' | 'detail'>> {
  const { landed, wallet, entry, wire } = landing;
  const parties = { wallet: wallet.address, treasury: deps.treasury.address };
  const params = await paramsOf(deps, landing);
  if (params === null) {
    const detail =
      landed.signatureCount > 1 || fillsMint(landing)
        ? `wallet ${wallet.address} made a token with it at a launchpad, in two transactions or in a way that is not known here: the chain has it, this database cannot`
        : `wallet ${wallet.address} signed it, and it is nothing this service does`;
    return { what: 'mismatch', detail };
  }
  const at = entry.at ?? deps.clock.now();
  const createdMint = createdMintOf(params, wire, deps.treasury.address);
  const receipt = landedReceipt(landed, { ...parties, params, createdMint });
  const intent = recoveredIntent(deps, landing, params, receipt, at);
  const attempt = adoptedAttempt(deps.ids, landing, 1, 'terms' in params ? params.terms : null, at);
  await deps.db.transact(async (stores) => {
    await stores.intents.insert(intent);
    await stores.intents.insertAttempt(attempt);
    await captureIntent(
      { ...deps, clock: { now: () => at } },
      stores,
      intent,
      attempt,
      intent.outcome?.receipt ?? null,
    );
  });
  return { what: 'recreated', detail: `${params.kind} ${intent.receipt} of wallet ${wallet.address}` };
}

/**
 * The request: a token's making from the bytes, everything else from the amounts moved. A second signer is a new mint's or a venue's, and
 * only a trade has the latter. So bytes with two that make no token of ours are never guessed at by their amounts, unless they made none at
 * all.
 */
async function paramsOf(
  deps: ReconcileDeps,
  { landed, wallet, wire }: Landing,
): Promise<IntentParams | null> {
  const parties = { wallet: wallet.address, treasury: deps.treasury.address };
  const bytes = messageOf(wire);
  const message = orNull(() => decodeMessage(bytes));
  if (message !== null) {
    const own = message.instructions.filter((instruction) => !isCommon(decodeInstruction(instruction)));
    const all = { ...parties, signers: message.signers };
    const made = recoveredMintRequest(own, landed, all, await mintOfRecord(deps, own));
    if (made !== null) return made;
  }
  // Signers are never in a table. So they show whether a transaction with tables is a launch or a trade.
  const fresh = orNull(() => decodeUnresolved(bytes))?.signers[1];
  if (fresh !== undefined && landed.tokenBalances.some(({ mint }) => mint === fresh)) return null;
  const receipt = landedReceipt(landed, { ...parties, params: UNKNOWN });
  // A creation's halves: the first moves no token and looks like SOL sent to the mint, the second like a purchase.
  if ((fresh !== undefined && receipt.tokenDeltas.length === 0) || fillsMint({ wire })) return null;
  const mint = receipt.tokenDeltas[0]?.mint;
  const token = mint === undefined ? null : await deps.chain.token(mint);
  return recoveredParams(landed, receipt, { ...parties, token });
}

/** Whether the message itself makes units of a token, which no trade of ours does. */
function fillsMint({ wire }: Pick<Landing, 'wire'>): boolean {
  const message = orNull(() => decodeUnresolved(messageOf(wire)));
  return (message?.instructions ?? []).some(
    ({ programId, data }) =>
      (programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM) && MINT_TO.has(data[0] ?? 0),
  );
}

/** Null for bytes that cannot be decoded: the owner of an exported key can sign anything with a memo like ours. */
function orNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (error instanceof UndecodableMessageError) return null;
    throw error;
  }
}

/** The mint that a Metaplex record belongs to, where one is written to. Source of truth: mpl-token-metadata `Metadata`. */
async function mintOfRecord({ chain }: ReconcileDeps, own: readonly Instruction[]): Promise<Address | null> {
  const record = own.find(({ programId }) => programId === METADATA_PROGRAM)?.accounts[0]?.address;
  if (record === undefined) return null;
  const [account] = (await chain.accounts([record])).accounts;
  return account == null || account.data.length < 65 ? null : addressFromBytes(account.data.subarray(33, 65));
}

/** The row of a lost intent: its id is in the memo, its key is made of it, so that it exists once. */
export function recoveredIntent(
  deps: Pick<ReconcileDeps, 'ids'>,
  { intentId, wallet }: Landing,
  params: IntentParams,
  receipt: LandedReceipt,
  at: number,
): Intent {
  const request = {
    id: intentId,
    userId: wallet.userId,
    walletId: wallet.id,
    idemKey: `recovered/${intentId}`,
  };
  return {
    ...newIntent(
      { ids: deps.ids, clock: { now: () => at } },
      { ...request, params, notBefore: null, confirmation: null },
    ),
    status: 'SUCCEEDED',
    outcome: { reason: null, details: { reconciled: true }, receipt },
  };
}
