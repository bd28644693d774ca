/**
 * Reads and writes of typed arrays whose index is known to be inside: the compiler cannot know it, and a bounds branch
 * would sit in the innermost loops. One function per array type, so that each stays monomorphic for the JIT.
 */
export function at(array: Float64Array, index: number): number {
  return array[index] as number;
}

export function idAt(array: Int32Array, index: number): number {
  return array[index] as number;
}

export function addAt(array: Float64Array, index: number, value: number): void {
  array[index] = (array[index] as number) + value;
}
