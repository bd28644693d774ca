declare const brand: unique symbol;

/** The PIN of this person, with the authenticator's code where there is one, was right a moment ago. Made by `verify-pin.ts`, and by `permit.ts` from a permit. */
export type RightPin = { readonly userId: string; readonly [brand]: true };
