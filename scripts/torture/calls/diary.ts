import { decodeMessage } from '@tradepost/local-chain';
import type { ChainBook } from './chain-book.ts';
import type { Call, FinalWord, Heard, Signing } from './judge.ts';
import type { Sdk } from './product.ts';

/** A record of the service, as far as a caller judges by it. */
type Told = { readonly signature: string; readonly status: string; readonly final: boolean };

/** What one call signed and heard, each with the chain's own time of that moment. */
export type Diary = {
  readonly n: number;
  readonly kind: string;
  /** Notes the signed bytes before they leave the caller, and gives their signature. The same bytes again are the same signing. */
  signed(transaction: Uint8Array): string;
  /** Notes a record: of final ones the word. */
  told(record: Told): void;
  /** Notes for the report what else came in place of a record: a refusal's code, or that no answer came. */
  missed(why: string): void;
  /** Whether nothing that was signed for the call so far can land any more: the chain's finality has passed it. */
  isOver(signature: string): boolean;
  close(ended: Call['ended'], why?: string): Call;
};

export function openDiary(of: {
  readonly n: number;
  readonly kind: string;
  readonly sdk: Sdk;
  readonly book: ChainBook;
}): Diary {
  const { n, kind, sdk, book } = of;
  const signings: Signing[] = [];
  const heard: Heard[] = [];
  let last = 'nothing';
  return {
    n,
    kind,
    signed(transaction) {
      const signature = sdk.signatureOf(transaction);
      if (signings.some((one) => one.signature === signature)) return signature;
      const at = book.now();
      const { blockhash } = decodeMessage(sdk.messageOf(transaction));
      signings.push({ signature, at, lastHeight: book.lastHeightOf(blockhash) ?? at.finalizedHeight });
      return signature;
    },
    told({ signature, status, final }) {
      const word = wordOf(status);
      if (final && word === null) throw new Error(`call ${n}: ${status} is told as final`);
      last = status;
      if (word === null) return;
      if (heard.some((one) => one.signature === signature && one.word === word)) return;
      heard.push({ signature, word, at: book.now() });
    },
    missed(why) {
      last = why;
    },
    isOver(signature) {
      const last = signings.find((one) => one.signature === signature)?.lastHeight ?? 0;
      return book.now().finalizedHeight > last;
    },
    close: (ended, why) => ({
      n,
      kind,
      signings,
      heard,
      ended,
      why: why ?? (ended === 'open' ? last : null),
    }),
  };
}

export function wordOf(status: string): FinalWord | null {
  return status === 'finalized' || status === 'failed' || status === 'expired' ? status : null;
}
