/** A client that may not ask any more: an IPv4 address, or the /64 of an IPv6 address. */
export type IpBlock = {
  readonly client: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly reason: string;
};

/** Blocks that hold over restarts and processes until an operator lifts them. */
export interface IpBlocks {
  /** Oldest first. */
  list(): Promise<readonly IpBlock[]>;
  /** Writes it down; an existing one keeps its date and reason. */
  add(block: IpBlock): Promise<void>;
  /** False when there was none. */
  lift(client: string): Promise<boolean>;
}
