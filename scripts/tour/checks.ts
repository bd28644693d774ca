let passed = 0;

/** A chapter of the story. */
export function say(title: string): void {
  console.log(`\n• ${title}`);
}

/** Throws, with both numbers, unless they are the same. */
export function equal(what: string, got: bigint, expected: bigint): void {
  if (got !== expected) throw new Error(`NOT TRUE: ${what}: ${got}, expected ${expected}`);
  passed += 1;
  console.log(`  ✓ ${what} (${got})`);
}

export function holds(what: string, fact: boolean): void {
  if (!fact) throw new Error(`NOT TRUE: ${what}`);
  passed += 1;
  console.log(`  ✓ ${what}`);
}

export function summary(): void {
  console.log(`\nThe tour is complete: ${passed} facts checked, all of them true.`);
}
