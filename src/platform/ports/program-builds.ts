import type { Address } from '@tradepost/solana';

/** Which build of a program the cluster runs. */
export interface ProgramBuilds {
  /**
   * In the order asked, the slot at which each was deployed last: one small call for all. Null for a program that is not there or that
   * no key can change. Throws CHAIN_UNREACHABLE.
   */
  deployedAt(programs: readonly Address[]): Promise<readonly (bigint | null)[]>;
  /** The build itself, read whole (megabytes). Null as above. Throws CHAIN_UNREACHABLE. */
  read(program: Address): Promise<ProgramBuild | null>;
}

/** A venue by its name, and its programs. */
export type Deployment = { readonly venue: string; readonly programs: readonly Address[] };

export type ProgramBuild = {
  /** Of the deployment. */
  readonly slot: bigint;
  /** Of the code without the zeros behind it, as 64 hex digits. */
  readonly sha256: string;
};
