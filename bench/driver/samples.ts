/** Collects numbers cheaply and tells their quantiles afterwards. */
export class Samples {
  #values = new Float64Array(4096)
  #count = 0

  add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count] = value
    this.#count += 1
  }

  get count(): number {
    return this.#count
  }

  /** The smallest sample that at least this share of all samples does not exceed; throws when there is none. */
  quantile(share: number): number {
    const sorted = this.#values.slice(0, this.#count).sort()
    const value = sorted[Math.max(0, Math.ceil(share * this.#count) - 1)]
    if (value === undefined) throw new Error('nothing was measured')
    return value
  }
}
