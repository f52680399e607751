/** Enforcement of the table of budgets (`resources/budgets.ts`): the settings and the refusals. */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { z } from 'zod'
import { ApiError } from './errors.ts'

type Refused = {
  [Name in keyof typeof BUDGETS]: (typeof BUDGETS)[Name] extends { refusal: object } ? Name : never
}[keyof typeof BUDGETS]
type Adjustable = {
  [Name in keyof typeof BUDGETS]: (typeof BUDGETS)[Name] extends { setting: object } ? Name : never
}[keyof typeof BUDGETS]

/** @param max the budget of this installation. */
export function budgetExceeded(name: Refused, max: number): ApiError {
  const { code, message, ...options } = BUDGETS[name].refusal
  return new ApiError(code, message(max.toLocaleString('en')), options)
}

/** The variable of an operator. */
export function budgetSetting(name: Adjustable) {
  const { max, setting } = BUDGETS[name]
  return z.coerce.number().int().min(1).max(setting.max).default(max)
}
