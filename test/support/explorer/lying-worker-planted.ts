import { LIED_TO_SIGNER, type LiedToSigner } from './lying-worker.ts';

/** Faults of the signer of which each must be found. */
export const LIES_PLANTED: Readonly<
  Record<string, { readonly signer: LiedToSigner; readonly words: RegExp }>
> = {
  'a message that is not read': {
    signer: { ...LIED_TO_SIGNER, readsMessage: false },
    words: /other moves than any row/,
  },
  'a code that is not compared with its row': {
    signer: { ...LIED_TO_SIGNER, comparesCode: false },
    words: /less than was agreed/,
  },
  'another message beside one that may land': {
    signer: { ...LIED_TO_SIGNER, otherMessage: false },
    words: /more may land than was agreed/,
  },
  'a fire that is confirmed without a look at its order': {
    signer: { ...LIED_TO_SIGNER, judgeSealedFire: () => null },
    words: /less than was agreed/,
  },
  'a journal that knows no fires': {
    signer: { ...LIED_TO_SIGNER, judgeSignedFires: () => null },
    words: /more may land than was agreed/,
  },
  'a signature that is called dead while it may land': {
    signer: { ...LIED_TO_SIGNER, guessesDeath: true },
    words: /more may land than was agreed/,
  },
};

/** Faults that another rule makes up for. */
export const LIES_HARMLESS: Readonly<Record<string, LiedToSigner>> = {
  'rows of fires that are not there': {
    ...LIED_TO_SIGNER,
    judgeSealedFire: (order, _fires, asked, clock) => LIED_TO_SIGNER.judgeSealedFire(order, [], asked, clock),
  },
};
