import type { Passed } from '../guard/rules/passed.ts';
import type { KeyUse } from './rules/key-use.ts';
import type { PersonalKey } from './rules/personal-key.ts';

/** Keys of people's own programs, and the requests that the signer let pass. */
export interface PersonalKeyStore {
  /** False, and nothing is stored, where the person has this public key already and has not ended it. */
  insert(passed: Passed<'personal-key-add'>, key: PersonalKey): Promise<boolean>;
  find(id: string): Promise<PersonalKey | null>;
  /** Those that were not ended, oldest first. */
  listByUser(userId: string): Promise<readonly PersonalKey[]>;
  /** False where it is another person's, or was ended before. */
  end(
    passed: Passed<'personal-key-end'>,
    key: { readonly id: string; readonly userId: string },
    at: number,
  ): Promise<boolean>;
  /** The ids of those that were ended at `since` (epoch milliseconds) or later. */
  endedSince(since: number): Promise<readonly string[]>;
  /** Ends every one of a person. Returns how many. */
  endAll(
    passed: Passed<'panic' | 'lock' | 'pin-set' | 'pin-change' | 'service'>,
    userId: string,
    at: number,
  ): Promise<number>;

  /** False, and nothing is stored, where the key's nonce was used: of all processes one alone is answered true. Kept until that moment. */
  takeNonce(used: {
    readonly keyId: string;
    readonly nonce: string;
    readonly until: number;
  }): Promise<boolean>;
  /** The signer's. False, and nothing is stored, where the key's nonce was used. */
  addUse(use: KeyUse): Promise<boolean>;
  findUse(keyId: string, nonce: string): Promise<KeyUse | null>;
  /** Uses of a key since a moment, oldest first. */
  uses(keyId: string, since: number): Promise<readonly KeyUse[]>;
  /** Uses whose person was not notified, oldest first, locked until the transaction ends; those that another process has are left out. */
  lockUntold(limit: number): Promise<readonly KeyUse[]>;
  saveTold(uses: readonly Pick<KeyUse, 'keyId' | 'nonce'>[], at: number): Promise<void>;
}
