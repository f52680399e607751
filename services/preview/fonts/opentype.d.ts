/** The part of opentype.js that `generate.ts` uses. The package has no types. */
declare module 'opentype.js' {
  interface Glyph {
    index: number
    advanceWidth?: number
    getPath(x: number, y: number, size: number): { toPathData(decimals: number): string }
  }
  const opentype: { parse(font: ArrayBuffer): { unitsPerEm: number; charToGlyph(char: string): Glyph } }
  export default opentype
}
