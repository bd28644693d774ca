import { type Address, type Instruction, METADATA_PROGRAM } from '@tradepost/solana';
import {
  createTokenInstructions,
  finishTokenInstructions,
} from '../../../modules/mint/rules/instructions/create-token.ts';
import type { CreateTokenParams } from '../../intents/kinds/create-token/params.ts';
import { decodeInstruction } from './decode-instruction.ts';

/**
 * Creations and revocations use instructions that no other intent may contain (CreateAccount, SetAuthority …). They are not judged one by
 * one: the list is built anew from the intent's row, and the message must be that list, byte for byte. Only facts that the row cannot know
 * are taken from the message: the fresh mint, which signs, and two addresses that the programs themselves derive and check.
 */

/** The one list that this creation may consist of, or null when the message shows no fee, mint or accounts to build it from. */
export function expectedCreation(
  own: readonly Instruction[],
  params: CreateTokenParams,
  parties: { readonly wallet: Address; readonly treasury: Address; readonly signers: readonly Address[] },
): readonly Instruction[] | null {
  const { wallet, treasury, signers } = parties;
  const { prepared } = params;
  const mint = prepared?.mint ?? signers[1];
  const actions = own.map(decodeInstruction);
  // The first buy of a launch at the desk is a transfer too.
  const fee = actions.find((action) => action.kind === 'transfer-sol' && action.to === treasury);
  const opened = actions.find((action) => action.kind === 'create-associated');
  const record = recordOf(own);
  // A mint of an earlier transaction has only one part in this one: it is filled.
  if (signers.length !== (prepared === undefined ? 2 : 1)) return null;
  if (mint === undefined || opened === undefined) return null;
  if (prepared === undefined && params.way === 'metaplex' && record === null) return null;
  const feeLamports = fee?.kind === 'transfer-sol' ? fee.lamports : null;
  if (feeLamports !== null && feeLamports > params.feeLamports) return null;
  const build = prepared === undefined ? createTokenInstructions : finishTokenInstructions;
  return build({
    spec: params.spec,
    way: params.way,
    uri: params.uri,
    creator: wallet,
    mint,
    holding: opened.account,
    record,
    mintRentLamports: params.mintRentLamports,
    fee: feeLamports === null ? null : { treasury, lamports: feeLamports },
  });
}

/** The metadata program refuses a record that is not the mint's own, as the account program does an account. */
export function recordOf(own: readonly Instruction[]): Address | null {
  return own.find(({ programId }) => programId === METADATA_PROGRAM)?.accounts[0]?.address ?? null;
}

/** True when both lists call the same programs with the same accounts in the same order and the same bytes. */
export function sameInstructions(given: readonly Instruction[], expected: readonly Instruction[]): boolean {
  return (
    given.length === expected.length &&
    given.every((instruction, index) => {
      const other = expected[index];
      return (
        other !== undefined &&
        instruction.programId === other.programId &&
        instruction.accounts.length === other.accounts.length &&
        instruction.accounts.every((meta, at) => meta.address === other.accounts[at]?.address) &&
        instruction.data.length === other.data.length &&
        instruction.data.every((byte, at) => byte === other.data[at])
      );
    })
  );
}
