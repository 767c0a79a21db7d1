import { parseQuantity, Quantity, QuantityError } from '@hypershift-ts/kube-apimachinery';
import { OpaqueValue } from './value.ts';

/** A resource quantity. */
export class CelQuantity extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelQuantity && this.quantity.equals(other.quantity);
  }
  compare(other: CelQuantity): -1 | 0 | 1 {
    return this.quantity.compare(other.quantity);
  }
  plus(other: CelQuantity): CelQuantity {
    return new CelQuantity(this.quantity.add(other.quantity));
  }
  minus(other: CelQuantity): CelQuantity {
    return new CelQuantity(this.quantity.subtract(other.quantity));
  }
  static ofInt(value: bigint): CelQuantity {
    return new CelQuantity(new Quantity(value, 0, 'DecimalSI'));
  }
  /** Reads a quantity such as `1.5Gi`, `100m` or `1e3`, or says why it is none. */
  static parse(text: string): CelQuantity | QuantityError {
    try {
      return new CelQuantity(parseQuantity(text));
    } catch (error) {
      if (error instanceof QuantityError) return error;
      throw error;
    }
  }
}
