/** `^GB`, `^GC`, `^GD`, `^GE` and `^GS` as paths whose upper left corner is at 0. */
import { ellipse, rectangle } from '../canvas.ts'

export interface Shape {
  path: string
  width: number
  height: number
}

/** @param rounding 0 to 8, of half the shorter side. */
export function box(width: number, height: number, border: number, rounding: number): Shape {
  const [w, h] = [Math.max(width, border, 1), Math.max(height, border, 1)]
  const radius = (rounding / 8) * (Math.min(w, h) / 2)
  const outer = rounded(0, 0, w, h, radius)
  if (border * 2 >= Math.min(w, h)) return { path: outer, width: w, height: h }
  const inner = { w: w - 2 * border, h: h - 2 * border }
  const innerRadius = (rounding / 8) * (Math.min(inner.w, inner.h) / 2)
  return { path: outer + reversed(border, border, inner.w, inner.h, innerRadius), width: w, height: h }
}

function rounded(x: number, y: number, w: number, h: number, r: number): string {
  if (!r) return rectangle(x, y, w, h)
  const arc = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`
  return `M${x + r} ${y}h${w - 2 * r}${arc(r, r)}v${h - 2 * r}${arc(-r, r)}h${2 * r - w}${arc(-r, -r)}v${2 * r - h}${arc(r, -r)}z`
}

/** Counterclockwise, so that it is a hole. */
function reversed(x: number, y: number, w: number, h: number, r: number): string {
  if (!r) return `M${x} ${y}v${h}h${w}v${-h}z`
  const arc = (dx: number, dy: number) => `a${r} ${r} 0 0 0 ${dx} ${dy}`
  return `M${x + r} ${y}${arc(-r, r)}v${h - 2 * r}${arc(r, r)}h${w - 2 * r}${arc(r, -r)}v${2 * r - h}${arc(-r, -r)}z`
}

/** The ring of `^GC` and `^GE`. */
export function ring(width: number, height: number, border: number): Shape {
  const [w, h] = [Math.max(3, width), Math.max(3, height)]
  const outer = ellipse(w / 2, h / 2, w / 2, h / 2)
  const [rx, ry] = [w / 2 - border, h / 2 - border]
  if (rx <= 0 || ry <= 0) return { path: outer, width: w, height: h }
  const inner = `M${w / 2 - rx} ${h / 2}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0z`
  // The arcs of `ellipse` have the other direction.
  return { path: outer + inner, width: w, height: h }
}

/** @param orientation `R` leans as `/`, `L` as `\`. */
export function diagonal(width: number, height: number, border: number, orientation: string): Shape {
  const [w, h] = [Math.max(3, width), Math.max(3, height)]
  const path =
    orientation === 'L'
      ? `M0 0h${border}L${w + border} ${h}h${-border}z`
      : `M${w} 0h${border}L${border} ${h}h${-border}z`
  return { path, width: w + border, height: h }
}
