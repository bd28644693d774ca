/** A button that carries state. Its id is 16 random bytes; the row, not the button, holds its meaning and its owner. */
export type Button = {
  readonly id: string;
  readonly userId: string;
  readonly action: string;
  /** Plain JSON; bigints as decimal strings. */
  readonly payload: unknown;
  readonly expiresAt: number;
  readonly usedAt: number | null;
};

export interface ButtonStore {
  insert(buttons: readonly Button[]): Promise<void>;
  /** The button when it belongs to the person and is neither used nor expired; does not use it up. */
  peek(id: string, userId: string, now: number): Promise<Button | null>;
  /** Uses it up: the row for the first caller only, null for everybody after. */
  consume(id: string, userId: string, now: number): Promise<Button | null>;
  /** Removes some thousand of those that expired before `before`; returns how many, 0 when none is left. */
  deleteExpired(before: number): Promise<number>;
}

/** A button as it lies in the database: with the seal of the chat's key over all of it but its use. */
export type SealedButton = Button & { readonly seal: string };

/** The rows of `ButtonStore`, not believed before their seal is checked. */
export interface ButtonRows extends Pick<ButtonStore, 'deleteExpired'> {
  insert(buttons: readonly SealedButton[]): Promise<void>;
  peek(id: string, userId: string, now: number): Promise<SealedButton | null>;
  consume(id: string, userId: string, now: number): Promise<SealedButton | null>;
}
