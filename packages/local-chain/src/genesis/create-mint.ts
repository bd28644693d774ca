import {
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  ExtensionType,
  getMintLen,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../address.ts';
import { deriveKey } from '../keys.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import type { Svm } from '../svm.ts';
import { encodeMetadata, metadataAddress } from './metaplex-metadata.ts';
import { runInstructions } from './run-instructions.ts';
import { initializeTokenMetadata } from './token-metadata-instruction.ts';
import type { TokenPlan, WorldToken } from './world.ts';

/** Room for the metadata extension: the program grows the account and wants the rent for it beforehand. */
const METADATA_ROOM_BYTES = 400;

export type MintContext = { readonly svm: Svm; readonly seed: Uint8Array; readonly treasury: Address };

/** Makes the mint with its metadata, the treasury as its authority and nothing minted yet. */
export function createMint({ svm, seed, treasury }: MintContext, plan: TokenPlan): WorldToken {
  const mint = deriveKey(seed, `mint:${plan.symbol}`).address;
  const program = plan.kind === 'token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const token: WorldToken = { symbol: plan.symbol, name: plan.name, mint, program, decimals: plan.decimals };
  if (plan.kind === 'token') {
    runInstructions(svm, treasury, [
      allocate(svm, treasury, mint, program, 82, 82),
      createInitializeMint2Instruction(new PublicKey(mint), plan.decimals, new PublicKey(treasury), null),
    ]);
    writeMetaplexMetadata(svm, treasury, token);
  } else {
    runInstructions(svm, treasury, token2022Instructions(svm, treasury, token, plan));
  }
  return token;
}

function token2022Instructions(
  svm: Svm,
  treasury: Address,
  token: WorldToken,
  plan: TokenPlan,
): TransactionInstruction[] {
  const mint = new PublicKey(token.mint);
  const authority = new PublicKey(treasury);
  const program = new PublicKey(token.program);
  const extensions = [ExtensionType.MetadataPointer];
  if (plan.transferFee !== undefined) extensions.push(ExtensionType.TransferFeeConfig);
  const space = getMintLen(extensions);
  const fee = plan.transferFee;
  return [
    allocate(svm, treasury, token.mint, token.program, space, space + METADATA_ROOM_BYTES),
    createInitializeMetadataPointerInstruction(mint, authority, mint, program),
    ...(fee === undefined
      ? []
      : [
          createInitializeTransferFeeConfigInstruction(
            mint,
            authority,
            authority,
            fee.bps,
            fee.maximumWhole * 10n ** BigInt(plan.decimals),
            program,
          ),
        ]),
    createInitializeMint2Instruction(mint, plan.decimals, authority, null, program),
    initializeTokenMetadata({
      mint: token.mint,
      authority: treasury,
      name: plan.name,
      symbol: plan.symbol,
      uri: '',
    }),
  ];
}

function allocate(
  svm: Svm,
  payer: Address,
  account: Address,
  program: Address,
  space: number,
  rentForBytes: number,
): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: new PublicKey(payer),
    newAccountPubkey: new PublicKey(account),
    space,
    lamports: Number(svm.rentExemption(rentForBytes)),
    programId: new PublicKey(program),
  });
}

// The metadata program is a vendor's and not aboard; its account is written as that program would leave it.
function writeMetaplexMetadata(svm: Svm, treasury: Address, token: WorldToken): void {
  const { mint, name, symbol } = token;
  const data = encodeMetadata({ updateAuthority: treasury, mint, name, symbol, uri: '' });
  svm.setAccount(metadataAddress(mint), {
    lamports: svm.rentExemption(data.length),
    data,
    owner: METADATA_PROGRAM,
    executable: false,
  });
}
