import type { Figures } from '@platen/test/bench/report.ts'
import type { Visitor } from './main.ts'
export async function measureLive(_visitor: Visitor): Promise<Figures> {
  return {}
}
