// NestJS: the HttpModule of @nestjs/axios, with one policy for all that a module sends.
// To change: the policy, and where the base URL comes from.
import { HttpModule, HttpService } from '@nestjs/axios';
import { Injectable, Module } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { firstValueFrom } from 'rxjs';
import { heed } from 'axios-heed';
import type { Heeding } from 'axios-heed';

interface Order {
  readonly id: number;
  readonly state: string;
}

@Injectable()
export class OrdersService {
  constructor(private readonly http: HttpService) {}

  async find(id: number): Promise<Order> {
    const { data } = await firstValueFrom(this.http.get<Order>(`/orders/${id}`));
    return data;
  }
}

@Module({
  // An axios instance of its own; a bare `HttpModule` would take the global axios.
  imports: [HttpModule.registerAsync({ useFactory: () => ({ baseURL: process.env['ORDERS_URL'] ?? '' }) })],
  providers: [OrdersService],
  exports: [OrdersService],
})
export class OrdersModule implements OnModuleInit, OnModuleDestroy {
  #heeding: Heeding | undefined;

  constructor(private readonly http: HttpService) {}

  // Not in the constructor: interceptors that others add in theirs come first, and the budget covers them.
  onModuleInit(): void {
    this.#heeding = heed(this.http.axiosRef, { budget: { seconds: 10 } });
  }

  // Who still waits at a gate is told at once, so that the process can end.
  onModuleDestroy(): void {
    this.#heeding?.detach();
  }
}
