/**
 * Gives the instance of PDFium functions that it can call. `addFunction` of Emscripten lists all functions of the
 * instance first, which doubles the time to open a small document. Reference:
 * https://webassembly.github.io/spec/core/binary/modules.html.
 */
import { type Pdfium, WebAssembly } from './pdfium.ts'

/**
 * The notation is that of Emscripten: `v` (no result) or `i`, then `i` for each parameter. All are integers of 32 bits.
 */
type Signature = `${'v' | 'i'}${string}`

interface Table {
  grow(count: number): number
  set(index: number, value: unknown): void
}

const I32 = 0x7f
const FUNCTION = { type: 0x60, kind: 0x00 } as const
const SECTION = { TYPES: 1, IMPORTS: 2, EXPORTS: 7 } as const
const HEADER = [...Buffer.from('\0asm'), 1, 0, 0, 0]

/** Compiled modules by the signatures of their functions. */
const modules = new Map<string, object>()

/** @param functions at most 10. @returns their addresses in C. */
export function addFunctions(
  { pdfium }: Pdfium,
  functions: [Signature, (...values: number[]) => number | undefined][],
): number[] {
  const { __indirect_function_table: table } = pdfium.wasmExports as unknown as { __indirect_function_table: Table }
  const signatures = functions.map(([signature]) => signature)
  const key = signatures.join()
  const module = modules.get(key) ?? new WebAssembly.Module(createModule(signatures))
  modules.set(key, module)
  const imports = { '': Object.fromEntries(functions.map(([, call], index) => [index, call])) }
  const { exports } = new WebAssembly.Instance(module, imports)
  const first = table.grow(functions.length)
  return functions.map((_, index) => {
    table.set(first + index, exports[index])
    return first + index
  })
}

/**
 * A module that exports what it imports: the functions become functions of WebAssembly. All lengths and numbers are
 * less than 128.
 */
function createModule(signatures: Signature[]): Uint8Array {
  const types = signatures.map(([result, ...parameters]) => [
    ...[FUNCTION.type, parameters.length, ...parameters.map(() => I32)],
    ...(result === 'i' ? [1, I32] : [0]),
  ])
  const name = (index: number) => toBytes([...Buffer.from(String(index))])
  const imports = types.map((_, index) => [...toBytes([]), ...name(index), FUNCTION.kind, index])
  const exports = types.map((_, index) => [...name(index), FUNCTION.kind, index])
  return Uint8Array.from([
    ...HEADER,
    ...toSection(SECTION.TYPES, types),
    ...toSection(SECTION.IMPORTS, imports),
    ...toSection(SECTION.EXPORTS, exports),
  ])
}

const toBytes = (bytes: number[]) => [bytes.length, ...bytes]
const toSection = (id: number, entries: number[][]) => [id, ...toBytes([entries.length, ...entries.flat()])]
