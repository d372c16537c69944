import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * Count and sum per key in windows of 10 s, in Flink. It runs the job once for each line of its
 * input, "events keys parallelism", and answers with the nanoseconds between the first record that was made and
 * the last pane that was written, those of processor time in between, and the digest of the panes. So
 * the bench can run the two sides in turns, and what the virtual machine takes to start and to warm up
 * is in no measurement.
 */
public final class Windows {
    static final long SIZE = 10_000; // ms

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.trim().split(" ");
            run(Long.parseLong(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]));
        }
    }

    static void run(long events, long keys, int parallelism) throws Exception {
        Clock.reset();
        Digest.all = new Digest();
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
        env.getConfig().enableObjectReuse();
        env.fromSource(new NumberSequenceSource(0, events - 1), WatermarkStrategy.noWatermarks(), "numbers")
                .map(new Make(events, keys, parallelism))
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Event>forBoundedOutOfOrderness(Duration.ofSeconds(2))
                        .withTimestampAssigner((e, t) -> Math.floorDiv(e.at, 1000L)))
                .keyBy(e -> e.key, Types.LONG)
                .window(TumblingEventTimeWindows.of(Duration.ofMillis(SIZE)))
                .aggregate(new CountSum(), new Panes())
                .sinkTo(new Digests());
        env.execute();
        Clock.rest();
        Digest d = Digest.all;
        System.out.printf("%d %d %d %d %d %d %d %d%n", Clock.nanos(), Clock.processor(), d.panes, d.count, d.squares, d.sum, d.mix, d.keys);
        System.out.flush();
    }

    static long mix(long x) {
        x += 0x9e3779b97f4a7c15L;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }

    /** Event is what is aggregated. Public fields and no arguments make it a POJO to Flink. */
    public static class Event implements Serializable {
        public long at; // µs
        public long key;
        public long value;
    }

    /** Make makes events as ../numbered.go does. If the source has two subtasks each has one half of
     * the numbers: of the two halves, every second event is made, so that both cover the whole time. */
    static class Make implements MapFunction<Long, Event> {
        final long half, keys;
        final int parallelism;
        final Event e = new Event();
        boolean begun;

        Make(long events, long keys, int parallelism) {
            this.half = (events + 1) / 2;
            this.keys = keys;
            this.parallelism = parallelism;
        }

        @Override
        public Event map(Long number) {
            if (!begun) {
                begun = true;
                Clock.first();
            }
            long i = parallelism == 1 ? number : number < half ? 2 * number : 2 * (number - half) + 1;
            long x = mix(i);
            e.at = 10_000_000 + i * 10 - ((x >>> 32) * 2_000_000 >>> 32);
            e.key = (x & 0xffffffffL) * keys >>> 32;
            e.value = i & 1023;
            return e;
        }
    }

    /** Sums are an accumulator. */
    public static class Sums {
        public long count, sum;
    }

    static class CountSum implements AggregateFunction<Event, Sums, Sums> {
        @Override
        public Sums createAccumulator() {
            return new Sums();
        }

        @Override
        public Sums add(Event e, Sums a) {
            a.count++;
            a.sum += e.value;
            return a;
        }

        @Override
        public Sums getResult(Sums a) {
            return a;
        }

        @Override
        public Sums merge(Sums a, Sums b) {
            a.count += b.count;
            a.sum += b.sum;
            return a;
        }
    }

    /** Pane is a result. */
    public static class Pane {
        public long start; // ms
        public long key, count, sum;
    }

    static class Panes extends ProcessWindowFunction<Sums, Pane, Long, TimeWindow> {
        @Override
        public void process(Long key, Context context, Iterable<Sums> sums, Collector<Pane> out) {
            Sums a = sums.iterator().next();
            Pane p = new Pane();
            p.start = context.window().getStart();
            p.key = key;
            p.count = a.count;
            p.sum = a.sum;
            out.collect(p);
        }
    }

    /** Digest adds panes up, as ../sink.go does. */
    static class Digest {
        static Digest all;
        long panes, count, squares, sum, mix, keys;

        void add(Pane p) {
            panes++;
            count += p.count;
            squares += p.count * p.count;
            sum += p.sum;
            mix += (p.start / 1000 + 1) * (p.count * 31 + p.sum);
            keys += mix(mix(mix(mix(p.key) ^ p.start * 1000) ^ p.count) ^ p.sum);
        }

        static synchronized void merge(Digest d) {
            all.panes += d.panes;
            all.count += d.count;
            all.squares += d.squares;
            all.sum += d.sum;
            all.mix += d.mix;
            all.keys += d.keys;
        }
    }

    static class Digests implements Sink<Pane>, Serializable {
        @Override
        public SinkWriter<Pane> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                Digest d = new Digest();

                @Override
                public void write(Pane p, Context context) {
                    d.add(p);
                }

                @Override
                public void flush(boolean endOfInput) {
                    Digest.merge(d);
                    d = new Digest();
                    Clock.last();
                }

                @Override
                public void close() {}
            };
        }
    }

    /** Clock holds when the first record was made and when the last pane was written. */
    static class Clock {
        private static long first, last, processorFirst, processorLast;

        static synchronized void reset() {
            first = last = 0;
        }

        static synchronized void first() {
            if (first == 0) {
                first = System.nanoTime();
                processorFirst = used();
            }
        }

        static synchronized void last() {
            last = System.nanoTime();
            processorLast = used();
        }

        static synchronized long nanos() {
            return last - first;
        }

        static synchronized long processor() {
            return processorLast - processorFirst;
        }

        /** rest waits until the cluster of a job that has ended is taken down, which takes both
         * processors a tenth of a second: whoever runs next is not to pay for it. */
        static void rest() throws InterruptedException {
            long before;
            do {
                before = used();
                Thread.sleep(100);
            } while (used() - before > 5_000_000);
        }

        /** used is the processor time of all threads so far, in ns. */
        private static long used() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }
}
