/** A zod schema that wraps another one. */
interface Wrapper<Schema> {
  def: { type: string; innerType?: Schema; in?: Schema; out?: Schema }
}

/**
 * @returns the schema of an optional or default value, before a transformation or after a preprocessing; undefined if
 *   the schema wraps none.
 */
export function getInnerSchema<Schema extends Wrapper<Schema>>({ def }: Schema): Schema | undefined {
  return def.innerType ?? (def.in?.def.type === 'transform' ? def.out : def.in)
}
