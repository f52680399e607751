/** Reads at most `count` items of a list, as few pages as that needs. */
export async function readFirst<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const read: T[] = []
  for await (const item of items) if (read.push(item) >= count) break
  return read
}
